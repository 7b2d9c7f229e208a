// expect: void operator\(\)\(.*// expected a Differentiable tensor of the element type of its weights
// expect-errors: 1
// expect-lines: 10
#include "tapestry/deeplearning.hpp"

auto layer(const tapestry::Dense<>& dense) { return dense(1.0); }
