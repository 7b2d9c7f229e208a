// Defines gelu, the elementwise Gaussian error linear unit.
#pragma once

#include <numbers>

#include "tapestry/deeplearning/operations/add.hpp"
#include "tapestry/deeplearning/operations/multiply.hpp"
#include "tapestry/deeplearning/operations/sigmoid.hpp"

namespace tapestry {

/// The form with tanh: y = x (1 + tanh(u)) / 2 = x sigmoid(2u), where u = sqrt(2 / pi) (x + 0.044715 x^3). It
/// is within 0.0005 of the exact form x (1 + erf(x / sqrt(2))) / 2.
/// dy/dx = s + 2 x s (1 - s) du/dx, where s = sigmoid(2u).
template <Numeric A>
auto gelu(const A& x) {
  using T = detail::ElementOf<DataOf<A>>;
  constexpr double linear = 2 * std::numbers::sqrt2 * std::numbers::inv_sqrtpi;
  constexpr double cubic = 0.044715 * linear;
  return x * sigmoid(x * (static_cast<T>(linear) + static_cast<T>(cubic) * (x * x)));
}

}  // namespace tapestry
