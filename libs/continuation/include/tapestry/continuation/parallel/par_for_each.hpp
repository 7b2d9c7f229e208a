// Defines parForEach, which runs a program for each element of a range, so many at a time, for its effects
// alone.
#pragma once

#include <concepts>
#include <cstddef>
#include <ranges>
#include <utility>

#include "tapestry/continuation/detail/misfit.hpp"
#include "tapestry/continuation/parallel/detail/traverse_values.hpp"

namespace tapestry {

/// As parTraverse, but drops the values of the programs, yields none itself, and keeps nothing of those that
/// have ended: the memory that it uses depends on `limit`, not on the range. An element is looked for and
/// read when its program is about to begin, so never more than `limit` elements are read that have not ended;
/// the range may be of a single pass, such as std::views::istream<int>(stream). Each run copies the range,
/// which for a view is cheap; of one that cannot be copied give std::ranges::ref_view(range).
template <std::ranges::input_range R, class F>
[[nodiscard("a program does nothing until it is run")]] auto parForEach(
    R range, std::size_t limit, F function, detail::Location location = detail::Location::current()) {
  using Element = std::ranges::range_reference_t<R>;
  constexpr bool accepted = std::invocable<const F&, Element>;
  static_assert(accepted,
                "tapestry::parForEach: the function does not accept an element, expected f(element), const, "
                "not mutable");
  constexpr bool makesProgram = !accepted || detail::ReturnsProgram<F, Element>;
  static_assert(makesProgram, "tapestry::parForEach: the function does not return a program");
  constexpr bool copies = detail::canBeCopied<R>;
  static_assert(copies,
                "tapestry::parForEach: every run copies the range, expected one that can be copied (such as "
                "a view of it)");
  if constexpr (accepted && makesProgram && copies && !detail::ReturnsAnything<F, Element>)
    return detail::TraverseAll<R, F>("parForEach", std::move(range),
                                     detail::checkedLimit("parForEach", limit), std::move(function),
                                     location);
  else
    return detail::AnyProgram();  // the static_assert has said it all
}

template <class T = void>
detail::Misfit parForEach(detail::Misfit, detail::Misfit = {}, detail::Misfit = {}) {
  static_assert(
      detail::fits<T>,
      "tapestry::parForEach: expected a range, a limit and a function that makes a program of an element");
  return {};
}

}  // namespace tapestry
