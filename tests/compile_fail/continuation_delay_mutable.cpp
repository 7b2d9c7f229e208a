// expect: delay\(.*expected a function that takes no argument, f\(\), const, not mutable
// expect-lines: 10
#include "tapestry/continuation.hpp"

auto program() {
  using namespace tapestry;
  return delay([n = 0]() mutable { return n++; });
}
