// expect: tapestry::delay: expected a function that takes no argument, f\(\)
#include "tapestry/continuation.hpp"

const auto program = tapestry::delay([](int x) { return x; });
