// expect: direct\(.*expected direct<M>\(block\), such as direct<Do>\(\[=\] \{ \.\.\. \}\), not mutable
// expect-lines: 10
#include "tapestry/continuation/direct/direct.hpp"

using tapestry::UnitContinuation;

const auto program = tapestry::direct<UnitContinuation>([](int x) { return x; });
