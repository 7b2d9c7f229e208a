// expect: tapestry::Do::async: .*const, not mutable
// expect-lines: 10
#include "tapestry/raii.hpp"

auto program() {
  return tapestry::Do<int>::async(
      [n = 0](const auto& callback) mutable { callback(tapestry::Try<int>::success(n++)); });
}
