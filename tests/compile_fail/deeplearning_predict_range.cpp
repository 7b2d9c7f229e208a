// expect: void predict\(.*// expected Differentiable layers, or tuples and ranges of these
// expect-errors: 1
// expect-lines: 10
#include <string>
#include <vector>

#include "tapestry/deeplearning.hpp"

const auto program = tapestry::predict(std::vector<std::string>());
