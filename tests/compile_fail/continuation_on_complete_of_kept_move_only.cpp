// expect: onComplete.*expected std::move\(program\)
// expect-errors: 1
// expect-lines: 10
#include <memory>

#include "tapestry/continuation.hpp"

const auto program = tapestry::delay([kept = std::make_unique<int>(1)] { return *kept; });
void start() {
  program.onComplete([](const tapestry::Outcome<int>&) {});
}
