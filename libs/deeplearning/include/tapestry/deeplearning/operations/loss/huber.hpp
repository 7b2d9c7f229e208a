// Defines huber, a loss that is quadratic near its minimum and linear away from it.
#pragma once

#include <stdexcept>
#include <string>

#include "tapestry/deeplearning/numeric.hpp"
#include "tapestry/deeplearning/operations/arithmetic/abs.hpp"
#include "tapestry/deeplearning/operations/arithmetic/multiply.hpp"
#include "tapestry/deeplearning/operations/arithmetic/subtract.hpp"
#include "tapestry/deeplearning/operations/reduction/mean.hpp"
#include "tapestry/deeplearning/operations/reduction/min.hpp"

namespace tapestry {

/// mean(e^2 / 2 where e < width, else width * (e - width / 2)), a double, of the distances e = |predicted -
/// expected|; the operands broadcast (Huber, 1964). Throws std::invalid_argument unless width > 0.
template <class A, class B>
  requires DifferentiablePair<A, B>
auto huber(const A& predicted, const B& expected, double width = 1) {
  if (!(width > 0))
    throw std::invalid_argument("tapestry::huber: the width is not positive, got " + std::to_string(width) +
                                ", expected a number above 0");
  const auto distance = abs(predicted - expected);
  const auto near = min(distance, width);
  return mean(near * (distance - 0.5 * near));
}

void huber(...) = delete;  // expected Differentiable scalars or tensors of one element type, maybe a width

}  // namespace tapestry
