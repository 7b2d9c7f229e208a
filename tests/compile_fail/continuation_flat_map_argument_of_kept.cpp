// expect: flatMap\(.*expected f\(value\), const, that returns a program; use map for values
// expect-errors: 1
// expect-lines: 10
#include <string>

#include "tapestry/continuation.hpp"

void use(const tapestry::UnitContinuation<int>& program) {
  auto kept = program.flatMap([](std::string) { return tapestry::now(1); });
  static_cast<void>(kept);
}
