// expect: void matmul\(.*// expected Differentiable tensors of one element type
// expect-errors: 1
// expect-lines: 10
#include "tapestry/deeplearning.hpp"

auto layer(const tapestry::TensorWeight& x) { return matmul(x, 2.0F); }
