// Defines ScopeListener, which listens for requests to stop a scope, wherever the scope goes.
#pragma once

#include <cstdint>

#include "tapestry/continuation/detail/engine/stop_state.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

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
