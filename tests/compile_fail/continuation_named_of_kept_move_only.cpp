// expect: expected std::move\(program\), for its captures cannot be copied
// expect-errors: 1
// expect-lines: 10
#include <memory>

#include "tapestry/continuation.hpp"

const auto program = tapestry::delay([kept = std::make_unique<int>(1)] { return *kept; });
const auto other = program.named("kept");
