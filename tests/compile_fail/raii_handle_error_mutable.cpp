// expect: tapestry::Do::handleError: .*const, not mutable
// expect-lines: 10
#include "tapestry/raii.hpp"

auto program() {
  return tapestry::Do<int>::now(1).handleError(
      [n = 0](std::exception_ptr) mutable { return tapestry::Do<int>::now(n++); });
}
