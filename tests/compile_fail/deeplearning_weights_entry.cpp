// expect: Entry\(.*// expected a weight, what has weights\(\), or a vector of such
// expect-errors: 1
// expect-lines: 10
#include <string>

#include "tapestry/deeplearning.hpp"

const tapestry::Weights weights{{"text", std::string()}};
