// expect: suspend\(.*expected a function Do<A>\(\) without arguments, const, not mutable
// expect-lines: 10
#include "tapestry/raii.hpp"

const auto program = tapestry::Do<int>::suspend([] { return 1; });
