// expect: void forward\(.*// expected a Differentiable: a layer, a weight
// expect-errors: 1
// expect-lines: 10
#include <string>

#include "tapestry/deeplearning.hpp"

const auto program = tapestry::forward(std::string());
