// expect: void operator-\(  // expected a Differentiable scalar or tensor
// expect-errors: 1
// expect-lines: 10
#include "tapestry/deeplearning.hpp"

auto layer(const tapestry::TableWeight& x) { return -x; }
