// expect: forEach\(.*expected a function f\(item\), const, not mutable
// expect-lines: 11
// (one more than elsewhere, since g++ tells that stream.hpp includes the declaration)
#include <string>

#include "tapestry/concurrent/stream/stream.hpp"

auto stages(const tapestry::Stream<int>& stream) {
  return stream.forEach([](const std::string&) {});
}
