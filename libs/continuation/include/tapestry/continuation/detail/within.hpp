// Defines Within, the program behind mask, local and named.
#pragma once

#include <utility>

#include "tapestry/continuation/detail/program_operations.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// Runs the program after enter(run), whose effect ends with the program.
template <class P, class Enter>
class [[nodiscard("a program does nothing until it is run")]] Within
    : public ProgramOperations<Within<P, Enter>> {
 public:
  using ValueType = typename P::ValueType;

  Within(P program, Enter enter) : program_(std::move(program)), enter_(std::move(enter)) {}

  void step(Run& run, Keeper keeper) const {
    run.keep(std::move(keeper));
    enter_(run);
    program_.step(run, {});
  }

 private:
  P program_;
  [[no_unique_address]] Enter enter_;
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
