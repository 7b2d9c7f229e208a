// expect: mapDo\(.*expected a function f\(item\), const, that returns a Do or a program
// expect-lines: 10
#include "tapestry/concurrent/stream/stream.hpp"

auto stages(const tapestry::Stream<int>& stream) {
  return stream.mapDo([](int x) { return x + 1; });
}
