// Defines shift and execute, which move a run to another executor.
#pragma once

#include "tapestry/continuation/unit_continuation.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

class [[nodiscard("a program does nothing until it is run")]] Shift : public ProgramOperations<Shift> {
 public:
  using ValueType = void;

  Shift(Executor& executor, Location location) noexcept : executor_(&executor), location_(location) {}

  void step(Run& run, Keeper keeper) const;

 private:
  Executor* executor_;
  Location location_;
};

}  // namespace detail

/// Moves the run to the executor, where it stays until it shifts again. If the executor refuses it, the run
/// is stopped with ExecutorStopped. Cost: one post.
[[nodiscard("a program does nothing until it is run")]] inline auto shift(
    Executor& executor, detail::Location location = detail::Location::current()) {
  return detail::Shift(executor, location);
}

/// Shifts to the executor and calls the function there. The function must not throw.
template <class F>
  requires std::invocable<const F&>
[[nodiscard("a program does nothing until it is run")]] auto execute(
    Executor& executor, F function, detail::Location location = detail::Location::current()) {
  return shift(executor, location).map(std::move(function), location);
}

void execute(...) = delete;  // expected an Executor and a function f(), const, not mutable

}  // namespace tapestry
#pragma GCC visibility pop
