// expect: flatMap\(.*expected f\(value\), const, that returns a Do; use map for plain values
// expect-errors: 1
// expect-lines: 10
#include <string>

#include "tapestry/raii.hpp"

void use(const tapestry::Do<int>& program) {
  auto kept = program.flatMap([](std::string) { return tapestry::now(1); });
  static_cast<void>(kept);
}
