// Defines stepDecay, a rate that falls by a factor after every fixed number of steps.
#pragma once

#include <cmath>
#include <cstdint>

#include "tapestry/deeplearning/optimizers/rate.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// initial * factor^floor(step / every). Made by stepDecay, which checks the numbers.
struct StepDecay {
  double initial = 0.01;
  double factor = 0.1;
  std::uint64_t every = 0;  ///< must be given

  /// Throws std::invalid_argument if `every` was not given.
  double rate(std::uint64_t step) const {
    detail::requirePositive("stepDecay", "every", static_cast<double>(every));
    return initial * std::pow(factor, static_cast<double>(step / every));
  }
};

/// sgd(stepDecay({.initial = 0.1, .factor = 0.5, .every = 1000})). Throws std::invalid_argument unless the
/// numbers are finite, the factor is at least 0, and `every` at least 1.
inline StepDecay stepDecay(StepDecay schedule) {
  detail::requireFinite("stepDecay", "initial", schedule.initial);
  detail::requireFactor("stepDecay", "factor", schedule.factor);
  detail::requirePositive("stepDecay", "every", static_cast<double>(schedule.every));
  return schedule;
}

}  // namespace tapestry
#pragma GCC visibility pop
