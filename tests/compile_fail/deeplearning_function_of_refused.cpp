// expect: void sigmoid\(.*// expected a Differentiable scalar or tensor
// expect-errors: 1
// expect-lines: 10
// (what is made of the result is no further error)
#include <string>

#include "tapestry/deeplearning.hpp"

auto loss(const tapestry::DoubleLayer& x) { return mse(tapestry::sigmoid(std::string()), x); }
