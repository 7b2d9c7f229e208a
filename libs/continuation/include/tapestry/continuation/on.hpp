// Defines on, which runs a program on another executor and returns to the previous one.
#pragma once

#include <utility>

#include "tapestry/continuation/ensure.hpp"
#include "tapestry/continuation/shift.hpp"
#include "tapestry/continuation/suspend.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

/// Yields a hold of the run's executor, since the run returns to it.
class [[nodiscard("a program does nothing until it is run")]] CurrentExecutor
    : public ProgramOperations<CurrentExecutor> {
 public:
  using ValueType = ExecutorHold;

  void step(Run& run, Keeper) const { run.put(holdOf(run.executor())); }
};

class [[nodiscard("a program does nothing until it is run")]] ShiftBack
    : public ProgramOperations<ShiftBack> {
 public:
  using ValueType = void;

  ShiftBack(ExecutorHold before, Location location) noexcept
      : before_(std::move(before)), location_(location) {}

  void step(Run& run, Keeper keeper) const {
    run.keep(std::move(keeper));
    Shift(*before_, location_).step(run, {});
  }

 private:
  ExecutorHold before_;
  Location location_;
};

}  // namespace detail

/// Runs the program on the executor, then returns the run to its previous executor, however the program ends.
/// Cost: two posts.
template <detail::Program P>
[[nodiscard("a program does nothing until it is run")]] auto on(
    Executor& executor, P program, detail::Location location = detail::Location::current()) {
  using A = typename P::ValueType;
  return detail::CurrentExecutor().flatMap(
      [&executor, program = UnitContinuation<A>(std::move(program)), location](detail::ExecutorHold before) {
        return tapestry::ensure(shift(executor, location).flatMap([program] { return program; }),
                                detail::ShiftBack(std::move(before), location));
      });
}

void on(...) = delete;  // expected an Executor and a program; for a Do raii/on.hpp

}  // namespace tapestry
#pragma GCC visibility pop
