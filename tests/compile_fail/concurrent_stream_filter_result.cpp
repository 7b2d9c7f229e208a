// expect: filter\(.*expected a predicate f\(const item&\), const, not mutable
// expect-lines: 10
#include <string>

#include "tapestry/concurrent/stream/stream.hpp"

auto stages(const tapestry::Stream<int>& stream) {
  return stream.filter([](int x) { return std::to_string(x); });
}
