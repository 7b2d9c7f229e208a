// expect: void sequential\(.*// expected functions:
// expect-errors: 1
// expect-lines: 10
#include "tapestry/deeplearning.hpp"

const auto model = tapestry::sequential(1);
