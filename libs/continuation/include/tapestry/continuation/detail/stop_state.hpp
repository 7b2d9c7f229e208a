// Defines StopState, a request to stop that listeners hear of once, and children take over.
#pragma once

#include <utility>

#include "tapestry/continuation/detail/atomics.hpp"
#include "tapestry/continuation/detail/stop_list.hpp"

namespace tapestry::detail {

extern template class StopList<Atomics>;

/// Children link to their parent's state: a request walks down the tree iteratively, whatever its depth.
class StopState : public StopListener {
 public:
  constexpr StopState() noexcept = default;
  ~StopState() override { unlink(); }

  /// The state that nobody can request: the one under `mask`. It is borrowed, like all others, and needs not
  /// be counted.
  static StopState& never() noexcept;

  bool requested() const noexcept { return listeners_.requested(); }
  void request() noexcept;

  /// As those of StopList.
  [[nodiscard]] bool add(StopListener& listener) noexcept {
    return this == &never() || listeners_.add(listener);
  }
  void remove(StopListener& listener) noexcept {
    if (this != &never()) listeners_.remove(listener);
  }

  /// Forwards the parent's request to this state, until unlinked. Borrows the parent until then.
  void linkTo(StopState& parent) noexcept {
    if (&parent != &never()) linkToAny(parent);
  }
  void unlink() noexcept {
    if (parent_) std::exchange(parent_, nullptr)->remove(*this);
  }

 private:
  void onStop() noexcept final { request(); }
  void linkToAny(StopState& parent) noexcept;

  StopList<Atomics> listeners_;
  StopState* parent_ = nullptr;
  StopState* nextRequest_ = nullptr;
};

/// Never destroyed, since runs may go on during static destruction.
union NeverStopped {
  constexpr NeverStopped() noexcept : state() {}
  ~NeverStopped() {}
  StopState state;
};
extern NeverStopped neverStopped;

inline StopState& StopState::never() noexcept { return neverStopped.state; }

}  // namespace tapestry::detail
