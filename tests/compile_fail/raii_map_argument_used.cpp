// expect: map\(.*expected a function f\(value\), const, not mutable
// expect-errors: 1
// expect-lines: 10
#include "tapestry/raii.hpp"
#include "tapestry/raii/memoize.hpp"

tapestry::Do<std::string> wrong() {
  return tapestry::memoize(tapestry::Do<int>::now(1).map([](std::string s) { return s; }))
      .flatMap([](std::string s) { return tapestry::Do<std::string>::now(s); });
}
