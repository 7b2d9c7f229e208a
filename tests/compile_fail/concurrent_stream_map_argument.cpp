// expect: map\(.*expected a function f\(item\), const, not mutable, that returns a value
// expect-lines: 10
#include <string>

#include "tapestry/concurrent/stream/stream.hpp"

auto stages(const tapestry::Stream<int>& stream) {
  return stream.map([](const std::string& x) { return x; });
}
