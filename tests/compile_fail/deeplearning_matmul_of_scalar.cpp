// expect: no matching function for call to .matmul
// expect-errors: 1
// expect-lines: 18
#include "tapestry/deeplearning.hpp"

auto layer(const tapestry::TensorWeight& x) { return matmul(x, 2.0F); }
