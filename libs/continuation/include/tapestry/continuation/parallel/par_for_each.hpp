// Defines parForEach, which runs a program for each element of a range, a limited number at a time, only for
// its effects.
#pragma once

#include <cstddef>
#include <span>  // the concepts of ranges, without the views
#include <utility>

#include "tapestry/continuation/parallel/detail/gather_traverse.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// As parTraverse, but drops the values of the programs, yields void, and keeps nothing of programs that have
/// ended: its memory depends on `limit`, not on the range. The next element is looked for and read when its
/// program is about to begin, so at most `limit` elements have been read whose programs have not ended; the
/// range may be single-pass, such as std::views::istream<int>(stream). Each run copies the range, which is
/// cheap for a view; for a range that cannot be copied, pass std::ranges::ref_view(range).
template <std::ranges::input_range R, class F>
  requires detail::TraversableBy<R, F>
[[nodiscard("a program does nothing until it is run")]] auto parForEach(
    R range, std::size_t limit, F function, detail::Location location = detail::Location::current()) {
  return detail::traverse<void>("parForEach", std::move(range), limit, std::move(function), location);
}

void parForEach(...) = delete;  // expected a copyable range, a limit, a const f(element) that makes a program

}  // namespace tapestry
#pragma GCC visibility pop
