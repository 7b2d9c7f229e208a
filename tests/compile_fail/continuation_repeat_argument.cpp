// expect: repeat\(.*expected a program and a number of times
// expect-errors: 1
// expect-lines: 10
#include "tapestry/continuation/repeat.hpp"

const auto program = tapestry::repeat(5, tapestry::now(1));
