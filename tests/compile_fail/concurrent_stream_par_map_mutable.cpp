// expect: parMap\(.*expected a limit, and a function f\(item\), const, that returns a Do
// expect-lines: 10
#include "tapestry/concurrent/stream/stream.hpp"

auto stages(const tapestry::Stream<int>& stream) {
  return stream.parMap(4, [n = 0](int x) mutable { return tapestry::Do<int>::now(x + n++); });
}
