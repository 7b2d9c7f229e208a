// expect: tapestry::repeatUntil: expected a predicate
// expect-errors: 1
// expect-lines: 10
#include "tapestry/continuation/repeat.hpp"

const auto program = tapestry::repeatUntil(tapestry::now(), [] { return true; });
