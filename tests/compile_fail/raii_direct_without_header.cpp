// expect: tapestry::direct: expected direct<UnitContinuation> or direct<Do>, which is in tapestry/raii/direct/direct.hpp and tapestry/raii/coroutine/coroutine.hpp
// expect-errors: 1
// expect-lines: 10
#include "tapestry/continuation/coroutine/coroutine.hpp"
#include "tapestry/raii/do.hpp"

using tapestry::Do;

const auto program = tapestry::direct<Do>([]() -> tapestry::Coroutine<int> { co_return 1; });
