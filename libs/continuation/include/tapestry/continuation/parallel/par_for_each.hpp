// Defines parForEach, which runs a program for each element of a range, so many at a time, for its effects
// alone.
#pragma once

#include <concepts>
#include <cstddef>
#include <ranges>
#include <utility>

#include "tapestry/continuation/parallel/detail/traverse_values.hpp"

namespace tapestry {

/// As parTraverse, but drops the values of the programs, yields none itself, and keeps nothing of those that
/// have ended: the memory that it uses depends on `limit`, not on the range. An element is looked for and
/// read when its program is about to begin, so never more than `limit` elements are read that have not ended;
/// the range may be of a single pass, such as std::views::istream<int>(stream). Each run copies the range,
/// which for a view is cheap; of a range that cannot be copied give std::ranges::ref_view(range).
template <std::ranges::input_range R, class F>
  requires detail::TraversableBy<R, F>
[[nodiscard("a program does nothing until it is run")]] auto parForEach(
    R range, std::size_t limit, F function, detail::Location location = detail::Location::current()) {
  return detail::TraverseAll<R, F>({"parForEach", std::move(range), detail::checkedLimit("parForEach", limit),
                                    std::move(function), location});
}

void parForEach(...) = delete;  // expected a copyable range, a limit, a const f(element) that makes a program

}  // namespace tapestry
