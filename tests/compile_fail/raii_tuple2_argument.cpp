// expect: tapestry::tuple2: expected two programs
// expect-errors: 1
// expect-lines: 10
#include "tapestry/raii.hpp"

auto program(const tapestry::Do<int>& one) { return tapestry::tuple2(one, 5); }
