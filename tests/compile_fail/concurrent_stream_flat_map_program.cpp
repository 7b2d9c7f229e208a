// expect: flatMap\(.*expected a function f\(item\), const, that returns a Stream
// expect-lines: 10
#include "tapestry/concurrent/stream/stream.hpp"

auto stages(const tapestry::Stream<int>& stream) {
  return stream.flatMap([](int x) { return tapestry::Do<int>::now(x); });
}
