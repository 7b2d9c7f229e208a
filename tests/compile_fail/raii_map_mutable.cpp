// expect: map\(.*expected a function f\(value\), const, not mutable
// expect-lines: 10
#include "tapestry/raii.hpp"

auto program() {
  return tapestry::Do<int>::now(1).map([n = 0](int x) mutable { return x + n++; });
}
