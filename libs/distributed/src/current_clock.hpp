// Defines CurrentClock, the program that yields the clock of its run.
#pragma once

#include "tapestry/continuation/extend/program.hpp"
#include "tapestry/continuation/extend/timer.hpp"

namespace tapestry::detail {

class [[nodiscard]] CurrentClock : public extend::ProgramOperations<CurrentClock> {
 public:
  using ValueType = Clock*;
  void step(extend::Run& run, extend::Keeper) const {
    if (!run.stopIfRequested()) run.put<Clock*>(&extend::clockOf(run));
  }
};

}  // namespace tapestry::detail
