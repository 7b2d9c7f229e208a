// expect: no matching function for call to .train
// expect-errors: 1
#include <string>

#include "tapestry/deeplearning.hpp"

const auto program = tapestry::train(std::string());
