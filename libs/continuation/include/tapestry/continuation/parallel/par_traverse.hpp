// Defines parTraverse, which runs a program for each element of a range, so many at a time.
#pragma once

#include <concepts>
#include <cstddef>
#include <ranges>
#include <type_traits>
#include <utility>

#include "tapestry/continuation/detail/misfit.hpp"
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
[[nodiscard("a program does nothing until it is run")]] auto parTraverse(
    R range, std::size_t limit, F function, detail::Location location = detail::Location::current()) {
  using Element = std::ranges::range_reference_t<R>;
  constexpr bool accepted = std::invocable<const F&, Element>;
  static_assert(accepted,
                "tapestry::parTraverse: the function does not accept an element, expected f(element), const, "
                "not mutable");
  constexpr bool makesProgram = !accepted || detail::ReturnsProgram<F, Element>;
  static_assert(makesProgram, "tapestry::parTraverse: the function does not return a program");
  constexpr bool copies = detail::canBeCopied<R>;
  static_assert(copies,
                "tapestry::parTraverse: every run copies the range, expected one that can be copied (such as "
                "a view of it)");
  if constexpr (accepted && makesProgram && copies && !detail::ReturnsAnything<F, Element>) {
    constexpr bool hasValues = !std::is_void_v<typename std::invoke_result_t<const F&, Element>::ValueType>;
    using Traverse = std::conditional_t<hasValues, detail::TraverseValues<R, F>, detail::TraverseAll<R, F>>;
    return Traverse("parTraverse", std::move(range), detail::checkedLimit("parTraverse", limit),
                    std::move(function), location);
  } else {
    return detail::AnyProgram();  // the static_assert has said it all
  }
}

template <class T = void>
detail::Misfit parTraverse(detail::Misfit, detail::Misfit = {}, detail::Misfit = {}) {
  static_assert(
      detail::fits<T>,
      "tapestry::parTraverse: expected a range, a limit and a function that makes a program of an element");
  return {};
}

}  // namespace tapestry
