// expect: tapestry::direct: expected a block that takes no argument, \[=\] \{ ... \}
// expect-lines: 10
#include "tapestry/continuation/direct/direct.hpp"

using tapestry::UnitContinuation;

const auto program = tapestry::direct<UnitContinuation>([](int x) { return x; });
