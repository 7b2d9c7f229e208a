// Defines suspend, the program that makes the program to run afresh in every run.
#pragma once

#include "tapestry/continuation/now.hpp"
#include "tapestry/continuation/unit_continuation.hpp"

namespace tapestry {

/// Calls the function in every run and goes on with the program that it returns.
template <class F>
[[nodiscard("a program does nothing until it is run")]] auto suspend(
    F function, detail::Location location = detail::Location::current()) {
  constexpr bool accepted = std::invocable<const F&>;
  static_assert(accepted,
                "tapestry::suspend: expected a function that takes no argument, f(), const, not mutable");
  constexpr bool returnsProgram = !accepted || detail::ReturnsProgram<F, void>;
  static_assert(returnsProgram,
                "tapestry::suspend: the function does not return a program, use delay for plain values");
  if constexpr (accepted && returnsProgram)
    return now().flatMap(std::move(function), location);
  else
    return detail::AnyProgram();  // the static_assert has said it all
}

}  // namespace tapestry
