// expect: tapestry::Do::handleError: .*const, not mutable
// expect-lines: 10
#include "tapestry/raii.hpp"

auto program(tapestry::Do<int> source) {
  return source.handleError([n = 0](std::exception_ptr) mutable { return tapestry::Do<int>::now(n++); });
}
