// expect: void gradients\(.*// expected a loss that is Differentiable, of scalars or tensors
// expect-errors: 1
// expect-lines: 10
#include <tuple>

#include "tapestry/deeplearning.hpp"

auto program(const tapestry::DoubleLayer& x) { return tapestry::gradients(std::tuple(x, 1)); }
