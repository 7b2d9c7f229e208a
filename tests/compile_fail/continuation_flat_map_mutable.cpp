// expect: tapestry::flatMap: .*expected .*f\(.*\), const, not mutable
// expect-lines: 10
#include "tapestry/continuation.hpp"

auto program() {
  using namespace tapestry;
  return now(1).flatMap([n = 0](int x) mutable { return now(x + n++); });
}
