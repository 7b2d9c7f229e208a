// expect: flatMap\(.*expected f\(value\), const, that returns a Do; use map for plain values
// expect-errors: 1
// expect-lines: 10
#include "tapestry/raii.hpp"

void use(const tapestry::Do<int>& program) {
  auto kept = program.flatMap([](int x) { return x; });
  static_cast<void>(kept);
}
