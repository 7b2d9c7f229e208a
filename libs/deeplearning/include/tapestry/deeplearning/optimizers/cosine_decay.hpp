// Defines cosineDecay, a rate that falls along half a wave of the cosine.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

#include "tapestry/deeplearning/optimizers/rate.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// last + (initial - last) * (1 + cos(pi * step / steps)) / 2, and from step `steps` on, last. Loshchilov and
/// Hutter, "SGDR: Stochastic Gradient Descent with Warm Restarts" (2017), equation 5, without restarts.
struct CosineDecay {
  double initial = 0.01;
  double last = 0;
  std::uint64_t steps = 0;  ///< must be given

  /// Throws std::invalid_argument if `steps` was not given.
  double rate(std::uint64_t step) const {
    detail::requirePositive("cosineDecay", "steps", static_cast<double>(steps));
    if (step >= steps) return last;
    const double done = static_cast<double>(step) / static_cast<double>(steps);
    return last + (initial - last) * (1 + std::cos(std::numbers::pi * done)) / 2;
  }
};

/// adam({.learningRate = cosineDecay({.initial = 1e-3, .steps = 10'000})}). Throws std::invalid_argument
/// unless the rates are finite, and `steps` is at least 1.
inline CosineDecay cosineDecay(CosineDecay schedule) {
  detail::requireFinite("cosineDecay", "initial", schedule.initial);
  detail::requireFinite("cosineDecay", "last", schedule.last);
  detail::requirePositive("cosineDecay", "steps", static_cast<double>(schedule.steps));
  return schedule;
}

}  // namespace tapestry
#pragma GCC visibility pop
