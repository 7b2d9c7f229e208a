// expect: timeout\(.*expected a program and a std::chrono::duration
// expect-errors: 1
// expect-lines: 10
#include "tapestry/raii/timeout.hpp"

auto program(const tapestry::Do<int>& one) { return tapestry::timeout(one, 5); }
