// expect: dropWhile\(.*expected a predicate f\(const item&\), const, not mutable
// expect-lines: 10
#include "tapestry/concurrent/stream/stream.hpp"

auto stages(const tapestry::Stream<int>& stream) {
  return stream.dropWhile([n = 0](int x) mutable { return x > n++; });
}
