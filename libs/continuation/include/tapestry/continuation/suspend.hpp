// Defines suspend, which creates the program to run anew in every run.
#pragma once

#include "tapestry/continuation/now.hpp"
#include "tapestry/continuation/unit_continuation.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// Calls the function in every run and continues with the program that it returns.
template <class F>
  requires detail::MakesProgram<F, void>
[[nodiscard("a program does nothing until it is run")]] auto suspend(
    F function, detail::Location location = detail::Location::current()) {
  return now().flatMap(std::move(function), location);
}

void suspend(...) = delete;  // expected f(), const, not mutable, that returns a program; delay takes values

}  // namespace tapestry
#pragma GCC visibility pop
