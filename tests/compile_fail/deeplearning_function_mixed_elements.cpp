// expect: Meeting
// expect-errors: 1
// expect-lines: 20
#include "tapestry/deeplearning.hpp"

auto layer(const tapestry::TensorWeight& x, const tapestry::DoubleTensorLayer& y) { return matmul(x, y); }
