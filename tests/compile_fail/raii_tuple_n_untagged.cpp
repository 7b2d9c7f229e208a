// expect: tupleN\(.*expected parallel\(program\)s; direct<M> of a Coroutine
// expect-errors: 1
// expect-lines: 10
#include "tapestry/raii/do_tuple2.hpp"

auto program(const tapestry::Do<int>& one) { return tapestry::tupleN(one, one); }
