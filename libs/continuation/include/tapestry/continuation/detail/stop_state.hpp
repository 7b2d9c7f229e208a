// Defines StopState, a request to stop that listeners hear of once, and StopListener.
#pragma once

#include <atomic>
#include <utility>

#include "tapestry/continuation/detail/node.hpp"
#include "tapestry/continuation/detail/spin_lock.hpp"

namespace tapestry::detail {

/// Hears of a request at most once, on the thread that made it. `onStop` must be short and must not throw.
class StopListener {
 public:
  constexpr StopListener() noexcept = default;
  StopListener(const StopListener&) = delete;
  StopListener& operator=(const StopListener&) = delete;

  virtual void onStop() noexcept = 0;

 protected:
  virtual ~StopListener() = default;

 private:
  friend class StopState;
  StopListener* next_ = nullptr;
  StopListener** link_ = nullptr;  ///< what points to this one; null when it is not in a list
};

/// Children link to their parent's state: a request walks down the tree iteratively, whatever its depth.
class StopState : public Node, private StopListener {
 public:
  constexpr StopState() noexcept = default;
  ~StopState() override { unlink(); }

  /// The state that nobody can request: the one under `mask`. It is borrowed, like all others, and needs not
  /// be counted.
  static StopState& never() noexcept;

  // relaxed: the request carries no data; a run acts on it at its next flatMap, whenever that is
  bool requested() const noexcept { return requested_.load(std::memory_order_relaxed); }
  void request() noexcept;

  /// False if the request was made before; then the listener will not be called.
  [[nodiscard]] bool add(StopListener& listener) noexcept;

  /// Afterwards the listener is not called any more; waits for a call that another thread is in.
  void remove(StopListener& listener) noexcept;

  /// Forwards the parent's request to this state, until unlinked. Borrows the parent until then.
  void linkTo(StopState& parent) noexcept {
    if (&parent != &never()) linkToAny(parent);
  }
  void unlink() noexcept {
    if (parent_) std::exchange(parent_, nullptr)->remove(*this);
  }

 private:
  void onStop() noexcept override { request(); }
  void notify() noexcept;
  void linkToAny(StopState& parent) noexcept;

  std::atomic<bool> requested_{false};
  SpinLock lock_;
  std::atomic<StopListener*> calling_{nullptr};  ///< the listener whose onStop is under way
  const void* caller_ = nullptr;                 ///< the thread that is in it
  StopListener* listeners_ = nullptr;
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
