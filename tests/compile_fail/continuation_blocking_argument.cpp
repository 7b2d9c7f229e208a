// expect: blocking\(.*expected a function f\(\), or f\(StopToken\), const, not mutable
// expect-lines: 10
#include "tapestry/continuation/blocking.hpp"

const auto program = tapestry::blocking([](int x) { return x; });
