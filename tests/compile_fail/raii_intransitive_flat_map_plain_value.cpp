// expect: tapestry::Do::intransitiveFlatMap: the function does not return a Do, use intransitiveMap for plain
// expect-lines: 10
#include "tapestry/raii.hpp"

const auto program = tapestry::Do<int>::now(1).intransitiveFlatMap([](int x) { return x; });
