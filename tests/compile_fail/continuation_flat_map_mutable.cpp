// expect: flatMap\(.*expected f\(value\), const, that returns a program; use map for values
// expect-lines: 10
#include "tapestry/continuation.hpp"

auto program() {
  using namespace tapestry;
  return now(1).flatMap([n = 0](int x) mutable { return now(x + n++); });
}
