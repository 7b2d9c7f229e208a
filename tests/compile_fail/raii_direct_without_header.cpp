// expect: direct\(.*expected direct<UnitContinuation>, or direct<Do> and its header in tapestry/raii
// expect-errors: 1
// expect-lines: 10
#include "tapestry/continuation/coroutine/coroutine.hpp"
#include "tapestry/raii/do.hpp"

using tapestry::Do;

const auto program = tapestry::direct<Do>([]() -> tapestry::Coroutine<int> { co_return 1; });
