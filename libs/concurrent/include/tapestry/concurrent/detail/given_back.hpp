// Defines GivenBack, the release of what was received.
#pragma once

#include "tapestry/continuation/extend/program.hpp"

namespace tapestry::detail {

/// Where a function has got what was received, there is nothing to release. Else takeBack, which the derived
/// class has, gives it back.
class GivenBack : public ProgramNode {
 public:
  void step(Run& run, Keeper::Raw keeper) const final {
    const Keeper dropped(keeper);
    putAtOnce(run);
  }
  bool putAtOnce(Run& run) const final {
    run.put(Errors());
    return true;
  }
};

}  // namespace tapestry::detail
