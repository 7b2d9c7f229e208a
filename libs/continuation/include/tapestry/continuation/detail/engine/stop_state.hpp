// Defines StopState, a request to stop, which notifies listeners once and is passed on to child states, and
// ScopeListener, which listens for requests to stop a scope, wherever the scope goes.
#pragma once

#include <cstdint>
#include <utility>

#include "tapestry/continuation/detail/engine/stop_list.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

extern template class StopList<Atomics>;

class Run;

/// Children link to their parent's state; a request goes down the tree iteratively, at any depth.
class StopState : public StopListener {
 public:
  constexpr StopState() noexcept = default;
  ~StopState() override { unlink(); }

  /// The state under `mask`, which cannot be requested. It is borrowed, like all states, and needs no count.
  static StopState& never() noexcept;
  /// The state of a run that is under no mask and is never asked to stop: the run stops if its executor
  /// refuses it after a turn, which a masked run does not.
  static StopState& unasked() noexcept;
  /// Whether it can never be requested.
  bool isUnaskable() const noexcept;

  bool requested() const noexcept {
    return listeners_.requested() || (asked_ && asked_->listeners_.requested());
  }
  void request() noexcept;

  /// For tests: notifies this thread's StopWatch of each check of this state, and of the states that are
  /// linked to it from now on.
  void watch() noexcept { listeners_.watch(); }
  bool watched() const noexcept { return listeners_.watched() || (asked_ && asked_->listeners_.watched()); }

  /// As in StopList.
  [[nodiscard]] bool add(StopListener& listener) noexcept {
    if (isUnaskable()) return true;
    link();
    return listeners_.add(listener);
  }
  void remove(StopListener& listener) noexcept {
    if (!isUnaskable()) listeners_.remove(listener);
  }

  /// Forwards the parent's request to this state, until unlinked. Borrows the parent until then.
  void linkTo(StopState& parent) noexcept {
    if (!parent.isUnaskable()) linkToAny(parent);
  }
  /// As linkTo, for a state that only one run uses: `requested` also checks the nearest linked ancestor, and
  /// this state is linked when it gets a listener or a child.
  void follow(StopState& parent) noexcept {
    if (parent.isUnaskable()) return;
    parent_ = &parent;
    asked_ = parent.asked_ ? parent.asked_ : &parent;
  }
  /// Links this state and the ancestors that it follows; to be called before another thread can use this
  /// state.
  void link() noexcept {
    if (asked_) linkAll();
  }
  void unlink() noexcept {
    StopState* const parent = std::exchange(parent_, nullptr);
    if (asked_)
      asked_ = nullptr;  // written only if it is set: other threads read it once this is linked
    else if (parent)
      parent->remove(*this);
  }

  /// A number, not 0, for the part of the program with this state that the run is in, such as a branch; 0 for
  /// a run that only has this state's token. Precondition: this is the innermost state of the run.
  virtual std::uintptr_t branchOf(const Run&) const noexcept { return 0; }
  /// Passes the listeners that outlast the branch, or, for 0, any branch, on to the parent, whose branch the
  /// run is in. To be called when the branch has ended, before a request that is meant for other branches.
  void passOn(std::uintptr_t branch, const Run& run) noexcept;

 private:
  void onStop() noexcept final { request(); }
  void linkToAny(StopState& parent) noexcept;
  void linkAll() noexcept;

  StopList<Atomics> listeners_;
  StopState* parent_ = nullptr;
  StopState* asked_ = nullptr;  ///< if this follows its parent: the nearest ancestor that follows none
  StopState* nextRequest_ = nullptr;
};

/// Never destroyed, since runs may continue during static destruction.
union NeverStopped {
  constexpr NeverStopped() noexcept : states() {}
  ~NeverStopped() {}
  StopState states[2];
};
extern NeverStopped neverStopped;

inline StopState& StopState::never() noexcept { return neverStopped.states[0]; }
inline StopState& StopState::unasked() noexcept { return neverStopped.states[1]; }
inline bool StopState::isUnaskable() const noexcept { return this == &never() || this == &unasked(); }

/// Is notified of a request to stop the run that holds the scope. A scope that is opened in a branch, or
/// within a timeout, may be part of the value that the branch yields: when the branch has ended, or has
/// decided a race, this listens to the state of the run around the branch.
class ScopeListener : public StopListener {
 public:
  /// To be called once, with the state of the run that opens the scope, or null, and the state's branch.
  /// False if the request came before.
  [[nodiscard]] bool listen(Ref<StopState> state, std::uintptr_t branch) noexcept;
  /// Waits for the end of a call on another thread. To be called by the run that holds the scope.
  void endListening() noexcept;

 private:
  friend StopState;
  bool outlasts(std::uintptr_t branch) const noexcept final {
    return branch_ != 0 && (branch == 0 || branch == branch_);
  }
  void goOnAt(StopState* state, const Run& run) noexcept;

  Ref<StopState> state_;
  std::uintptr_t branch_ = 0;
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
