// Defines StopSource and StopToken, by which a run is asked from outside, on any thread, to stop early.
#pragma once

#include <utility>

#include "tapestry/continuation/detail/engine/stop_state.hpp"

namespace tapestry {

/// The receiving end of a StopSource; a default one never stops. Copied in O(1).
class StopToken {
 public:
  StopToken() noexcept = default;
  explicit StopToken(detail::Ref<detail::StopState> state) noexcept : state_(std::move(state)) {}

  /// Whether the source was asked. Thread-safe.
  bool stopRequested() const noexcept { return state().requested(); }
  /// For the engine. It lives as long as a copy of the token.
  detail::StopState& state() const noexcept { return state_ ? *state_ : detail::StopState::never(); }

 private:
  detail::Ref<detail::StopState> state_;  ///< null for a token that never stops
};

/// Asks all runs that hold its token to stop. The request is cooperative, idempotent, and may come from any
/// thread.
class StopSource {
 public:
  StopSource() : state_(detail::makeRef<detail::StopState>()) {}

  /// To be given to runs, and kept by them; it may outlive the source.
  StopToken token() const noexcept { return StopToken(state_); }
  bool stopRequested() const noexcept { return state_->requested(); }

  /// Cost: O(leaves that wait and children in flight). Releases and finalizers of the runs still run.
  void requestStop() const noexcept { state_->request(); }

 private:
  detail::Ref<detail::StopState> state_;
};

namespace detail {

/// What a callback of another kind of stop token calls.
struct RequestStop {
  void operator()() const noexcept {
    const StopSource kept = source;  // for a run that ends now may destroy this
    kept.requestStop();
  }
  StopSource source;
};

}  // namespace detail

}  // namespace tapestry
