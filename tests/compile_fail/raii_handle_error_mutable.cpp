// expect: handleError\(.*expected a handler Do<A>\(std::exception_ptr\), const, not mutable
// expect-lines: 10
#include "tapestry/raii.hpp"

auto program() {
  auto handler = [n = 0](std::exception_ptr) mutable { return tapestry::Do<int>::now(n++); };
  return tapestry::Do<int>::now(1).handleError(handler);
}
