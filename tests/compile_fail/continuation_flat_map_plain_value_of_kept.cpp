// expect: tapestry::flatMap: the function does not return a program, use map for plain values
// expect-errors: 1
// expect-lines: 10
#include "tapestry/continuation.hpp"

void use(const tapestry::UnitContinuation<int>& program) {
  auto kept = program.flatMap([](int x) { return x; });
  static_cast<void>(kept);
}
