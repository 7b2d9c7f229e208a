// expect: mask\(.*expected a program
// expect-errors: 1
// expect-lines: 10
#include "tapestry/raii/mask.hpp"

const auto program = tapestry::mask([] {});
