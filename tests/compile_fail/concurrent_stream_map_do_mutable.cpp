// expect: mapDo\(.*expected a function f\(item\), const, that returns a Do or a program
// expect-lines: 10
#include "tapestry/concurrent/stream/stream.hpp"

auto stages(const tapestry::Stream<int>& stream) {
  return stream.mapDo([n = 0](int x) mutable { return tapestry::Do<int>::now(x + n++); });
}
