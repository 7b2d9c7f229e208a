// expect: map\(.*expected a function f\(value\), const, not mutable
// expect-lines: 10
// [code]
#include "tapestry/continuation.hpp"

auto program() {
  using namespace tapestry;
  return now(1).map([n = 0](int x) mutable { return x + n++; });
}
// [/code]
