// expect: void operator/\(.*// expected Differentiable operands, scalars or tensors, of one element type
// expect-errors: 1
// expect-lines: 10
#include <utility>

#include "tapestry/deeplearning.hpp"

auto layer(const tapestry::DoubleLayer& x) { return std::pair(x, x) / x; }
