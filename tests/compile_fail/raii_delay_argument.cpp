// expect: delay\(.*expected a function A\(\) without arguments, const, not mutable
// expect-lines: 10
#include "tapestry/raii.hpp"

const auto program = tapestry::Do<int>::delay([](int x) { return x; });
