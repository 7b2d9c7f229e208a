// expect: tapestry::memoize: expected a program
// expect-errors: 1
// expect-lines: 10
#include "tapestry/continuation/memoize.hpp"

const auto program = tapestry::memoize(5);
