// expect: tapestry::scoped: expected a factory that takes no argument, f\(\)
// expect-lines: 10
#include "tapestry/raii.hpp"

const auto program = tapestry::scoped([](int x) { return x; });
