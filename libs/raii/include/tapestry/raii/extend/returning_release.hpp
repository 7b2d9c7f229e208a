// Defines ReturningRelease, the base of releases that give a value back if no function has got it.
#pragma once

#include "tapestry/continuation/extend/program.hpp"
#include "tapestry/continuation/monad/errors.hpp"

#pragma GCC visibility push(default)
namespace tapestry::extend {

/// The address of `valueKey<Try<A>>` names the type of the values of Do<A>.
using detail::valueKey;

/// The release of a value that goes back to its source if no function has got it, for example because its run
/// has lost a race. If a function has got the value, there is nothing to release.
class ReturningRelease : public ProgramNode {
 public:
  void step(Run& run, Keeper::Raw keeper) const final {
    const Keeper dropped(keeper);
    putAtOnce(run);
  }
  /// Puts success without a step of its own. Always returns true.
  bool putAtOnce(Run& run) const final {
    run.put(Errors());
    return true;
  }
  /// Moves the value, a Try, back to its source and returns true, or returns false if the type is not that of
  /// the values of the source. With a null value, only returns true.
  bool takeBack(void* value, const void* type) const noexcept override = 0;
};

}  // namespace tapestry::extend
#pragma GCC visibility pop
