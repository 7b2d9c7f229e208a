// Defines ClockOfRun, a program that yields the clock of its run.
#pragma once

#include "tapestry/continuation/clock.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

class [[nodiscard("a program does nothing until it is run")]] ClockOfRun
    : public ProgramOperations<ClockOfRun> {
 public:
  using ValueType = Clock*;
  void step(Run& run, Keeper) const { run.put<Clock*>(&clockOf(run)); }
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
