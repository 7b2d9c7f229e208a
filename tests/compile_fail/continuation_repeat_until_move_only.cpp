// expect: tapestry::repeatUntil: each round needs a copy of the predicate
// expect-lines: 10
#include <memory>

#include "tapestry/continuation/repeat.hpp"

const auto program = tapestry::repeatUntil(
    tapestry::now(1), [wanted = std::make_unique<int>(1)](int value) { return value == *wanted; });
