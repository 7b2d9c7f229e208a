// Defines length, a number by which the arrays of two sides are compared.
#pragma once

#include <cmath>
#include <numeric>
#include <span>

namespace tapestry::benchmarks {

inline double length(std::span<const float> values) {
  return std::sqrt(std::transform_reduce(values.begin(), values.end(), 0.0, std::plus<>(),
                                         [](float x) { return static_cast<double>(x) * x; }));
}

}  // namespace tapestry::benchmarks
