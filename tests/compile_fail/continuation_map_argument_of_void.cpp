// expect: tapestry::map: the function does not accept the program's value, expected f\(value\)
#include "tapestry/continuation.hpp"

const auto program = tapestry::now().map([](int x) { return x; });
