// expect: parMap\(.*expected a limit, and a function f\(item\), const, that returns a Do
// expect-lines: 10
#include "tapestry/concurrent/stream/stream.hpp"

auto stages(const tapestry::Stream<int>& stream) {
  return stream.parMap([](int x) { return tapestry::Do<int>::now(x); });
}
