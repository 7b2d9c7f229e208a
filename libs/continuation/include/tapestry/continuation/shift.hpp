// Defines shift and execute, which move a run to another executor.
#pragma once

#include "tapestry/continuation/unit_continuation.hpp"

namespace tapestry {

namespace detail {

class [[nodiscard("a program does nothing until it is run")]] Shift : public ProgramOperations<Shift> {
 public:
  using ValueType = void;

  Shift(Executor& executor, Location location) noexcept : executor_(&executor), location_(location) {}

  void step(Run& run, const Node* owned) const;

 private:
  Executor* executor_;
  Location location_;
};

}  // namespace detail

/// Goes on with the run on the executor, and lets it stay there until it shifts again. An executor that
/// refuses work stops the run with ExecutorStopped. Cost: one post.
[[nodiscard("a program does nothing until it is run")]] inline auto shift(
    Executor& executor, detail::Location location = detail::Location::current()) {
  return detail::Shift(executor, location);
}

/// Shifts to the executor, and calls the function there. The function must not throw.
template <class F>
[[nodiscard("a program does nothing until it is run")]] auto execute(
    Executor& executor, F function, detail::Location location = detail::Location::current()) {
  constexpr bool accepted = std::invocable<const F&>;
  static_assert(accepted,
                "tapestry::execute: expected a function that takes no argument, f(), const, not mutable");
  if constexpr (accepted)
    return shift(executor, location).map(std::move(function), location);
  else
    return detail::AnyProgram();  // the static_assert has said it all
}

}  // namespace tapestry
