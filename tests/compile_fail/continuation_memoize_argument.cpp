// expect: memoize\(.*expected a program of a value that can be copied; for a Do raii/memoize.hpp
// expect-errors: 1
// expect-lines: 10
#include "tapestry/continuation/memoize.hpp"

const auto program = tapestry::memoize(5);
