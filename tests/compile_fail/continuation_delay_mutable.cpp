// expect: tapestry::delay: .*expected .*f\(.*\), const, not mutable
// expect-lines: 10
#include "tapestry/continuation.hpp"

auto program() {
  using namespace tapestry;
  return delay([n = 0]() mutable { return n++; });
}
