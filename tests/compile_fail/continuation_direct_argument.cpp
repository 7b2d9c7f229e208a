// expect: tapestry::direct: expected a block that takes no argument, \[=\] \{ ... \}
#include "tapestry/continuation/direct.hpp"

using tapestry::UnitContinuation;

const auto program = tapestry::direct<UnitContinuation>([](int x) { return x; });
