// expect: no matching function for call to .sigmoid
// expect-errors: 1
#include <string>

#include "tapestry/deeplearning.hpp"

const auto layer = tapestry::sigmoid(std::string());
