// Defines trainingDigits, the digits that rows are trained on, and resultOf, what such a row gives.
#pragma once

#include <numeric>
#include <vector>

#include "support/digits.hpp"

namespace tapestry::benchmarks {

/// MNIST's 60,000 if the build knows where they are, and else as many drawn.
examples::Digits trainingDigits();

/// The mean of the first losses: by Adam, what rounding makes of a step soon grows.
inline double resultOf(const std::vector<double>& losses) {
  return std::reduce(losses.begin(), losses.begin() + 20) / 20;
}

}  // namespace tapestry::benchmarks
