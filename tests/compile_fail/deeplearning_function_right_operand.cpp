// expect: void mse\(.*// expected Differentiable scalars or tensors of one element type
// expect-errors: 1
// expect-lines: 10
#include <string>

#include "tapestry/deeplearning.hpp"

auto loss(const tapestry::DoubleLayer& x) { return tapestry::mse(x, std::string()); }
