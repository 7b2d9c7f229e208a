// expect: Differentiable
// expect-errors: 1
// expect-lines: 22
#include <string>

#include "tapestry/deeplearning.hpp"

const auto layer = tapestry::sigmoid(std::string());
