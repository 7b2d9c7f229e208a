// expect: forever\(.*expected a program; for a Do raii/repeat.hpp
// expect-errors: 1
// expect-lines: 10
#include "tapestry/continuation/repeat.hpp"
#include "tapestry/raii/do.hpp"

const auto program = tapestry::forever(tapestry::Do<int>::now(1));
