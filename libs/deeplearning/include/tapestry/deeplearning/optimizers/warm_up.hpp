// Defines warmUp, a rate that rises by equal amounts, and then continues as another rate.
#pragma once

#include <cstdint>
#include <utility>

#include "tapestry/deeplearning/optimizers/rate.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// then(0) * (step + 1) / (steps + 1) for the first `steps` steps, and then(step - steps) afterwards: no step
/// is lost to a rate of 0, and the first step with the whole rate is the first step of `then`.
struct WarmUp {
  std::uint64_t steps;
  Rate then;

  /// Returns the rate of a step; steps count from 0.
  double rate(std::uint64_t step) const {
    if (step >= steps) return then.rate(step - steps);
    return then.rate(0) * (static_cast<double>(step + 1) / (static_cast<double>(steps) + 1));
  }
};

/// sgd(warmUp(100, 0.1)), or warmUp(100, cosineDecay(...)). With 0 steps there is no warm-up.
inline WarmUp warmUp(std::uint64_t steps, Rate then) { return {steps, std::move(then)}; }

}  // namespace tapestry
#pragma GCC visibility pop
