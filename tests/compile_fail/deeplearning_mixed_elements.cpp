// expect: no match for .operator\*.|invalid operands to binary expression
// expect-errors: 1
#include "tapestry/deeplearning.hpp"

auto layer(const tapestry::TensorWeight& x, const tapestry::DoubleTensorLayer& y) { return x * y; }
