// Defines HasOutcome, the programs of any kind whose runs give a callback their Outcome.
#pragma once

#include <utility>

#include "tapestry/continuation/outcome.hpp"
#include "tapestry/continuation/stop.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// A UnitContinuation, or a Do.
template <class P>
concept HasOutcome = requires(P program, void (*callback)(Outcome<typename P::ValueType>)) {
  std::move(program).onComplete(callback, StopToken());
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
