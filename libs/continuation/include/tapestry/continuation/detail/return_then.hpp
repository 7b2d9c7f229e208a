// Defines ReturnThen, the release of a value that goes back to its source and beside which resources are
// held.
#pragma once

#include <utility>

#include "tapestry/continuation/monad/errors.hpp"
#include "tapestry/continuation/unit_continuation.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// As a program, releases the resources.
class ReturnThen final : public ProgramNode {
 public:
  using Release = UnitContinuation<Errors>;

  ReturnThen(Release returningFirst, Release releasedThen) noexcept
      : returning(std::move(returningFirst)), rest(std::move(releasedThen)) {}

  void step(Run& run, Keeper::Raw keeper) const override;
  bool takeBack(void* value, const void* type) const noexcept override;

  /// The release as a ReturnThen, or null.
  static const ReturnThen* of(const Release& release) noexcept;

  const Release returning;  ///< gives the value back if no function has got it
  const Release rest;       ///< of the resources
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
