// expect: tuple2\(.*expected two programs, parallel\(p\) both or none; direct<M> of a Coroutine
// expect-errors: 1
// expect-lines: 10
#include "tapestry/raii.hpp"

auto program(const tapestry::Do<int>& one) { return tapestry::tuple2(tapestry::parallel(one), one); }
