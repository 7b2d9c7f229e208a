// expect: direct\(.*expected direct<M>\(block\), such as direct<Do>\(\[=\] \{ \.\.\. \}\), not mutable
// expect-lines: 10
#include "tapestry/continuation/direct/direct.hpp"

const auto program = tapestry::direct([] { return 1; });
