// expect: map\(.*expected a function f\(value\), const, not mutable
// expect-errors: 1
// expect-lines: 10
#include "tapestry/continuation.hpp"

struct Point {
  int x;
};

auto program() { return tapestry::now(Point{1}).map(&Point::x); }
