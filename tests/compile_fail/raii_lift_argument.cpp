// expect: lift\(.*expected a program that cannot fail, such as a UnitContinuation
// expect-errors: 1
// expect-lines: 10
#include "tapestry/raii.hpp"

const auto program = tapestry::lift([] { return 1; });
