// expect: tapestry::Do::delay: expected a function
// expect-lines: 10
#include "tapestry/raii.hpp"

const auto program = tapestry::Do<int>::delay([](int x) { return x; });
