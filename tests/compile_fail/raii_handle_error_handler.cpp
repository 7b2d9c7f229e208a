// expect: handleError\(.*expected a handler Do<A>\(std::exception_ptr\), const, not mutable
// expect-lines: 10
#include "tapestry/raii.hpp"

const auto program = tapestry::Do<int>::now(1).handleError([](const std::exception_ptr&) { return 2; });
