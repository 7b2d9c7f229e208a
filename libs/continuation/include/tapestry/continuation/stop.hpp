// Defines StopSource and StopToken, with which any thread can ask runs to stop early.
#pragma once

#include <utility>

#include "tapestry/continuation/detail/engine/stop_state.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// The receiving end of a StopSource; a default-constructed token never gets a request. Copied in O(1).
class StopToken {
 public:
  StopToken() noexcept = default;
  explicit StopToken(detail::Ref<detail::StopState> state) noexcept : state_(std::move(state)) {}

  /// Returns whether the source has requested a stop. Thread-safe.
  bool stopRequested() const noexcept { return state().requested(); }
  /// For the engine. The state lives as long as a copy of the token.
  detail::StopState& state() const noexcept { return state_ ? *state_ : detail::StopState::unasked(); }

 private:
  detail::Ref<detail::StopState> state_;  ///< null for a token that never gets a request
};

/// Asks all runs that hold its token to stop. The request is cooperative, idempotent, and may come from any
/// thread.
class StopSource {
 public:
  StopSource() : state_(detail::makeRef<detail::StopState>()) {}

  /// A token for runs, which keep it; it may outlive the source.
  StopToken token() const noexcept { return StopToken(state_); }
  bool stopRequested() const noexcept { return state_->requested(); }

  /// Cost: O(leaves that wait and children in flight). Releases and finalizers of the runs still run.
  void requestStop() const noexcept { state_->request(); }

 private:
  detail::Ref<detail::StopState> state_;
};

namespace detail {

/// The function for callbacks of other kinds of stop tokens.
struct RequestStop {
  void operator()() const noexcept {
    const StopSource kept = source;  // since a run that ends now may destroy this object
    kept.requestStop();
  }
  StopSource source;
};

}  // namespace detail

}  // namespace tapestry
#pragma GCC visibility pop
