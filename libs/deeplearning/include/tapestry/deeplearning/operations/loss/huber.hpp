// Defines huber, a loss that is quadratic near its minimum and linear away from it.
#pragma once

#include <concepts>

#include "tapestry/deeplearning/detail/parameters.hpp"
#include "tapestry/deeplearning/elementwise.hpp"
#include "tapestry/deeplearning/operations/reduction/mean.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

/// The arguments are the predicted value, the expected value and the width. The slope is the difference of
/// the two values, limited to the width.
inline constexpr auto huberOfElements = elementwise<"huber">(
    [](auto predicted, auto expected, auto width) {
      const auto distance = abs(predicted - expected), near = min(distance, width);
      return near * (distance - 0.5 * near);
    },
    [](auto predicted, auto expected, auto width) { return max(-width, min(predicted - expected, width)); },
    [](auto predicted, auto expected, auto width) { return max(-width, min(expected - predicted, width)); },
    [](auto predicted, auto expected, auto width) { return max(abs(predicted - expected) - width, 0); });

/// Converts a whole number to a type that a formula accepts; returns any other value unchanged.
template <class A>
decltype(auto) realOrSame(const A& operand) {
  if constexpr (std::integral<A>)
    return static_cast<double>(operand);
  else
    return (operand);
}

}  // namespace detail

/// mean(e^2 / 2 where e < width, else width * (e - width / 2)), a double, of the distances e = |predicted -
/// expected|; the operands broadcast (Huber, 1964). One loop forward and one backward. Throws
/// std::invalid_argument unless width > 0.
template <class A>
auto huber(const A& predicted, const DifferentiablePair<A> auto& expected, double width = 1) {
  detail::requirePositive("huber", "the width", width);
  return mean(detail::huberOfElements(detail::realOrSame(predicted), detail::realOrSame(expected), width));
}

void huber(...) = delete;  // expected Differentiable scalars or tensors of one element type, maybe a width

}  // namespace tapestry
#pragma GCC visibility pop
