// expect: parMap\(.*expected a limit, and a function f\(item\), const, that returns a Do
// expect-lines: 10
#include <string>

#include "tapestry/concurrent/stream/stream.hpp"

auto stages(const tapestry::Stream<int>& stream) {
  return stream.parMap(4, [](const std::string& x) { return tapestry::Do<std::string>::now(x); });
}
