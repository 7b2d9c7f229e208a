// Defines parTraverse, which runs a program for each element of a range, a limited number at a time.
#pragma once

#include <cstddef>
#include <span>  // the concepts of ranges, without the views
#include <type_traits>
#include <utility>
#include <vector>

#include "tapestry/continuation/parallel/detail/gather_traverse.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// Runs function(element), a program, for each element, at most `limit` of them at a time and in parallel as
/// far as the environment has idle workers, and yields their values as a vector in the order of the range.
/// The next element is looked for and read when its program is about to begin, never two at once; so the
/// range may be endless if the run is stopped at some time. Each run copies the range, which is cheap for a
/// view. If one program is stopped, the others are asked to stop, and the traversal is stopped with their
/// errors, in order. An empty range yields an empty vector. For programs of void it yields void, and keeps
/// nothing of programs that have ended. Throws std::invalid_argument for a limit of 0. Neither the function
/// nor the range may throw.
template <std::ranges::input_range R, class F>
  requires detail::TraversableBy<R, F>
[[nodiscard("a program does nothing until it is run")]] auto parTraverse(
    R range, std::size_t limit, F function, detail::Location location = detail::Location::current()) {
  using A = typename detail::ResultOf<F, std::ranges::range_reference_t<R>>::ValueType;
  using Values = std::conditional_t<std::is_void_v<A>, void, std::vector<Stored<A>>>;
  return detail::traverse<Values>("parTraverse", std::move(range), limit, std::move(function), location);
}

void parTraverse(  // expected a copyable range, a limit, a const f(element) that makes a program
    ...) = delete;

}  // namespace tapestry
#pragma GCC visibility pop
