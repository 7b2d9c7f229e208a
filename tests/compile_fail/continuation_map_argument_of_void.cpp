// expect: tapestry::map: the function does not accept the program's value, expected f\(value\)
// expect-lines: 10
#include "tapestry/continuation.hpp"

const auto program = tapestry::now().map([](int x) { return x; });
