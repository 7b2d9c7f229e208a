// Defines erf, the error function of each element, which the exact form of GELU needs.
#pragma once

#include <numbers>

#include <tapestry/deeplearning/elementwise.hpp>

namespace tapestry::onnx {

/// Up to 1, the sum of (-1)^n x^(2n + 1) / (n! (2n + 1)); from there formula 7.1.26 of Abramowitz and Stegun,
/// "Handbook of Mathematical Functions" (1964), which is within 1.5e-7.
inline constexpr auto erf = elementwise<"erf">(
    [](auto x) {
      constexpr double scale = 2 * std::numbers::inv_sqrtpi;
      const auto q = x * x, far = abs(x), t = 1 / (1 + 0.3275911 * far);
      const auto low = 1 / 216. - q * (1 / 1320. - q * (1 / 9360. - q * (1 / 75600. - q * (1 / 685440.))));
      const auto series = 1 - q * (1 / 3. - q * (1 / 10. - q * (1 / 42. - q * low)));
      const auto high = 1.421413741 + t * (-1.453152027 + t * 1.061405429);
      const auto tail = t * (0.254829592 + t * (-0.284496736 + t * high)) * exp(-q);
      return where(far < 1, scale * x * series, sign(x) * (1 - tail));
    },
    [](auto x) { return 2 * std::numbers::inv_sqrtpi * exp(-x * x); });

}  // namespace tapestry::onnx
