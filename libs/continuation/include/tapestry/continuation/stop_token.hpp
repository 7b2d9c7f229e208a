// Defines stopToken, the program by which a run sees whether it is asked to stop.
#pragma once

#include "tapestry/continuation/unit_continuation.hpp"

namespace tapestry {

namespace detail {

class [[nodiscard("a program does nothing until it is run")]] OwnStopToken
    : public ProgramOperations<OwnStopToken> {
 public:
  using ValueType = StopToken;

  void step(Run& run, Keeper) const {
    StopState& state = run.stopState();
    const bool never = state.isUnaskable();
    // before another thread gets to know of it
    if (!never) state.link();
    run.put(never ? StopToken() : StopToken(Ref<StopState>::share(&state)));
  }
};

}  // namespace detail

/// Yields the token by which this very run hears of a request to stop: by its starter, by a timeout
/// around it, or, in a parallel branch, by the failure of another branch. For long work in one function,
/// which asks it from time to time, and for what else it starts:
///
///     blocking([](StopToken stop) { while (!stop.stopRequested() && readMore()) {} })
///
/// Under `mask` the token never stops. Of a branch, or within a timeout, it says what is asked until
/// that has ended; afterwards it may be kept, and hears of nothing any more.
[[nodiscard("a program does nothing until it is run")]] inline auto stopToken() {
  return detail::OwnStopToken();
}

}  // namespace tapestry
