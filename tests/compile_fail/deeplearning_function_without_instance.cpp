// expect: void sigmoid\(.*// expected a Differentiable scalar or tensor
// expect-errors: 1
// expect-lines: 10
#include <string>

#include "tapestry/deeplearning.hpp"

const auto layer = tapestry::sigmoid(std::string());
