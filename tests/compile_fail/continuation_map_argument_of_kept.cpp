// expect: map\(.*expected a function f\(value\), const, not mutable
// expect-errors: 1
// expect-lines: 10
#include <string>

#include "tapestry/continuation.hpp"

void use(const tapestry::UnitContinuation<int>& program) {
  auto kept = program.map([](std::string) { return tapestry::now(1); });
  static_cast<void>(kept);
}
