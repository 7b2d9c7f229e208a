// expect: background\(.*expected a Do, at most a name
// expect-lines: 10
#include "tapestry/concurrent/background.hpp"

const auto program = tapestry::background([] { return 1; });
