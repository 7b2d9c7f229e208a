// expect: parMapUnordered\(.*expected a limit, and a function f\(item\), const, that returns a Do
// expect-lines: 10
#include "tapestry/concurrent/stream/stream.hpp"

auto stages(const tapestry::Stream<int>& stream) {
  return stream.parMapUnordered([](int x) { return tapestry::Do<int>::now(x); });
}
