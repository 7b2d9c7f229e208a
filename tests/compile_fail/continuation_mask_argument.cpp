// expect: mask\(.*expected a program
// expect-errors: 1
// expect-lines: 10
#include "tapestry/continuation/mask.hpp"

const auto program = tapestry::mask(5).map([](int x) { return x; });
