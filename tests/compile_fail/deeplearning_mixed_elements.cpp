// expect: void operator\*\(.*// expected Differentiable operands, scalars or tensors, of one element type
// expect-errors: 1
// expect-lines: 10
// [code]
#include "tapestry/deeplearning.hpp"

auto layer(const tapestry::TensorWeight& x, const tapestry::DoubleTensorLayer& y) { return x * y; }
// [/code]
