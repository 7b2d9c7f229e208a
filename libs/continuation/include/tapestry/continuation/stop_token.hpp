// Defines stopToken, the program that yields the run's own stop token.
#pragma once

#include "tapestry/continuation/unit_continuation.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

class [[nodiscard("a program does nothing until it is run")]] OwnStopToken
    : public ProgramOperations<OwnStopToken> {
 public:
  using ValueType = StopToken;

  void step(Run& run, Keeper) const {
    StopState& state = run.stopState();
    const bool never = state.isUnaskable();
    // before another thread can use the state
    if (!never) state.link();
    run.put(never ? StopToken() : StopToken(Ref<StopState>::share(&state)));
  }
};

}  // namespace detail

/// Yields the token of this run, which gets requests to stop from its starter, from a timeout around it or,
/// in a parallel branch, after the failure of another branch. For a long function, which checks it from time
/// to time, and for other operations that the function starts:
///
///     blocking([](StopToken stop) { while (!stop.stopRequested() && readMore()) {} })
///
/// Under `mask` the token never gets a request. The token of a branch, or within a timeout, gets requests
/// until the branch or timeout has ended; it may be kept afterwards, and then gets no more requests.
[[nodiscard("a program does nothing until it is run")]] inline auto stopToken() {
  return detail::OwnStopToken();
}

}  // namespace tapestry
#pragma GCC visibility pop
