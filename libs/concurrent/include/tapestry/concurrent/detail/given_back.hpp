// Defines GivenBack, the release of received items.
#pragma once

#include "tapestry/continuation/extend/program.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// If a function has got the items, there is nothing to release. Otherwise takeBack of the derived class
/// gives them back.
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
#pragma GCC visibility pop
