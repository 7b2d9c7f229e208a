// expect: tapestry::tuple2: .*both parallel\(program\)
// expect-errors: 1
// expect-lines: 10
#include "tapestry/raii.hpp"

auto program(const tapestry::Do<int>& one) { return tapestry::tuple2(tapestry::parallel(one), one); }
