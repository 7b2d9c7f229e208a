// Defines parForEach of Do, which runs a program for each element of a range, at most `limit` at a time, for
// its effects alone.
#pragma once

#include <span>  // the concepts of ranges, without the views
#include <utility>

#include "tapestry/continuation/parallel/par_for_each.hpp"
#include "tapestry/raii/par_traverse.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// As parForEach of programs that cannot fail, with a function that returns a Do. Each Do runs in a separate
/// scope: its resources are released when it ends. If a Do fails, the others are cancelled, no further
/// element is begun, and parForEach fails with the errors, in the order of the range, when all have ended.
template <std::ranges::input_range R, class F>
  requires detail::DoTraversableBy<R, F>
[[nodiscard("a program does nothing until it is run")]] auto parForEach(
    R range, std::size_t limit, F function, detail::Location location = detail::Location::current()) {
  return detail::doTraverse<void>("parForEach", std::move(range), limit,
                                  detail::AcquireElement<R, F, true>{std::move(function)}, location);
}

}  // namespace tapestry
#pragma GCC visibility pop
