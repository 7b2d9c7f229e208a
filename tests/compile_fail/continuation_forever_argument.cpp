// expect: forever\(.*expected a program
// expect-errors: 1
// expect-lines: 10
#include "tapestry/continuation/repeat.hpp"

const auto program = tapestry::forever([] {});
