// expect: void train\(.*// expected a loss that is Differentiable
// expect-errors: 1
// expect-lines: 10
#include <string>

#include "tapestry/deeplearning.hpp"

const auto program = tapestry::train(std::string());
