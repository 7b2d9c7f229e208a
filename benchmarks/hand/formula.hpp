// Defines formulaLoop, the formula of the rows `fused_*` as a loop by hand, compiled for this machine.
#pragma once

#include <cstddef>

namespace tapestry::benchmarks::hand {

/// y[i] = max((2 x[i] + 1) (x[i] - 3), 0) - 0.5 x[i] x[i] + 1, of n elements: eight operations.
void formulaLoop(const float* x, std::size_t n, float* y);

}  // namespace tapestry::benchmarks::hand
