// expect: direct\(.*expected tapestry/continuation/direct/direct\.hpp, or a block of a Coroutine
// expect-errors: 1
// expect-lines: 10
#include "tapestry/continuation/coroutine/coroutine.hpp"

using tapestry::UnitContinuation;

const auto program = tapestry::direct<UnitContinuation>([] { return 1; });
