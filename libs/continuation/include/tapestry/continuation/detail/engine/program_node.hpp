// Defines ProgramNode, an erased program.
#pragma once

#include "tapestry/continuation/detail/engine/keeper.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

class Run;

/// An erased program: `step` starts it in a run. `keeper` keeps the program itself, or is empty.
class ProgramNode : public Node {
 public:
  virtual void step(Run& run, Keeper::Raw keeper) const = 0;
  /// If the program yields at once: puts the value, even if the run is asked to stop, and returns true.
  virtual bool putAtOnce([[maybe_unused]] Run& run) const { return false; }

  /// If this is the release of a value that goes back to its source when no function has got it: takes the
  /// value, of the `type` &valueKey<A>, and returns true. With a null value only returns whether the release
  /// is of this kind.
  virtual bool takeBack([[maybe_unused]] void* value, [[maybe_unused]] const void* type) const noexcept {
    return false;
  }
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
