// expect: filter\(.*expected a predicate f\(const item&\), const, not mutable
// expect-lines: 10
#include <string>

#include "tapestry/concurrent/stream/stream.hpp"

auto stages(const tapestry::Stream<int>& stream) {
  return stream.filter([](const std::string& x) { return x.empty(); });
}
