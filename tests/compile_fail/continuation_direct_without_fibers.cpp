// expect: tapestry::direct: got a block that returns no Coroutine, expected one, or fibers to run it on, from tapestry/continuation/direct/direct.hpp
// expect-errors: 1
// expect-lines: 10
#include "tapestry/continuation/coroutine/coroutine.hpp"

using tapestry::UnitContinuation;

const auto program = tapestry::direct<UnitContinuation>([] { return 1; });
