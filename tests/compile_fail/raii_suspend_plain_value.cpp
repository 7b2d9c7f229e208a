// expect: tapestry::Do::suspend: expected a function
// expect-lines: 10
#include "tapestry/raii.hpp"

const auto program = tapestry::Do<int>::suspend([] { return 1; });
