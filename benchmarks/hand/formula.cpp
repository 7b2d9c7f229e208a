#include "hand/formula.hpp"

#include <algorithm>

namespace tapestry::benchmarks::hand {

void formulaLoop(const float* x, std::size_t n, float* y) {
  for (std::size_t i = 0; i < n; ++i)
    y[i] = std::max((2 * x[i] + 1) * (x[i] - 3), 0.0F) - 0.5F * x[i] * x[i] + 1;
}

}  // namespace tapestry::benchmarks::hand
