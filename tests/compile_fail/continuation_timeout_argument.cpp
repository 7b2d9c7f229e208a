// expect: timeout\(.*expected a program and a std::chrono::duration
// expect-errors: 1
// expect-lines: 10
#include "tapestry/continuation/parallel/timeout.hpp"

const auto program = tapestry::timeout(5, std::chrono::milliseconds(1));
