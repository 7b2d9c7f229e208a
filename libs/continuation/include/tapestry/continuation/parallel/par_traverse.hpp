// Defines parTraverse, which runs a program for each element of a range, so many at a time.
#pragma once

#include <concepts>
#include <cstddef>
#include <ranges>
#include <type_traits>
#include <utility>

#include "tapestry/continuation/parallel/detail/traverse_values.hpp"

namespace tapestry {

/// Runs function(element), a program, for each element, at most `limit` of them at a time and in parallel as
/// far as the environment has idle workers, and yields their values as a vector, in the order of the range.
/// An element is looked for and read when its program is about to begin, never two at once; so the range may
/// be endless, if something stops the run. Each run copies the range, which for a view is cheap. If one
/// program is stopped, so are the others, and the whole, with their errors, in order. An empty range yields
/// an empty vector. Of programs without a value it yields none, and keeps nothing of those that have ended.
/// Throws std::invalid_argument for a limit of 0. Neither the function nor the range may throw.
template <std::ranges::input_range R, class F>
  requires detail::TraversableBy<R, F>
[[nodiscard("a program does nothing until it is run")]] auto parTraverse(
    R range, std::size_t limit, F function, detail::Location location = detail::Location::current()) {
  using Made = detail::ResultOf<F, std::ranges::range_reference_t<R>>;
  using Traverse = std::conditional_t<std::is_void_v<typename Made::ValueType>, detail::TraverseAll<R, F>,
                                      detail::TraverseValues<R, F>>;
  return Traverse({"parTraverse", std::move(range), detail::checkedLimit("parTraverse", limit),
                   std::move(function), location});
}

void parTraverse(  // expected a copyable range, a limit, a const f(element) that makes a program
    ...) = delete;

}  // namespace tapestry
