// expect: tapestry: this operation expected Differentiable scalars or tensors of one element type
// expect-each: OperationName<[0-9]+>\{"NAME"\}
// expect-errors: 1
// expect-lines: 10
#include <string>

#include "tapestry/deeplearning.hpp"

auto loss(const tapestry::DoubleLayer& x) { return tapestry::mse(x, std::string()); }
