// expect: tapestry::now: every run needs a copy of the value, use delay to make a move-only value afresh
// expect-lines: 10
#include <memory>

#include "tapestry/continuation.hpp"

const auto program = tapestry::now(std::make_unique<int>(1));
