// expect: direct\(.*expected direct<M>\(block\), such as direct<Do>\(\[=\] \{ \.\.\. \}\), not mutable
// expect-errors: 1
// expect-lines: 10
#include "tapestry/continuation/coroutine/coroutine.hpp"

using tapestry::UnitContinuation;

const auto program =
    tapestry::direct<UnitContinuation>([](int x) -> tapestry::Coroutine<int> { co_return x; });
