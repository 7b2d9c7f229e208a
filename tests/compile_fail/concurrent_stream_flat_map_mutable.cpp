// expect: flatMap\(.*expected a function f\(item\), const, that returns a Stream
// expect-lines: 10
#include "tapestry/concurrent/stream/stream.hpp"

auto stages(const tapestry::Stream<int>& stream) {
  return stream.flatMap([n = 0](int x) mutable { return tapestry::Stream<int>::of({x, n++}); });
}
