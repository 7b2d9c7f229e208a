// expect: tapestry::blocking: expected a function f\(\), or f\(StopToken\)
// expect-lines: 10
#include "tapestry/continuation/blocking.hpp"

const auto program = tapestry::blocking([](int x) { return x; });
