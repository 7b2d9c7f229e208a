// Defines unlessStopped, a program that is not begun in a run that has been asked to stop.
#pragma once

#include <utility>

#include "tapestry/continuation/unit_continuation.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// For a program whose value must not be dropped, or that runs under a mask, where leaves do not check for
/// requests: once begun, it runs to its end.
template <class P>
class [[nodiscard("a program does nothing until it is run")]] UnlessStopped
    : public ProgramOperations<UnlessStopped<P>> {
 public:
  using ValueType = typename P::ValueType;

  explicit UnlessStopped(P program) : program_(std::move(program)) {}

  void step(Run& run, Keeper keeper) const {
    if (!run.stopIfRequested()) program_.step(run, std::move(keeper));
  }

 private:
  P program_;
};

template <class P>
auto unlessStopped(P program) {
  return UnlessStopped<P>(std::move(program));
}

}  // namespace tapestry::detail
#pragma GCC visibility pop
