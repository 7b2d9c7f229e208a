// expect: tapestry::direct: expected direct<M>\(block\)
// expect-lines: 10
#include "tapestry/continuation/direct/direct.hpp"

const auto program = tapestry::direct([] { return 1; });
