// expect: tapestry::blocking: expected a function that takes no argument
// expect-lines: 10
#include "tapestry/continuation/blocking.hpp"

const auto program = tapestry::blocking([](int x) { return x; });
