// expect: tupleN\(.*expected parallel\(program\)s; direct<M> of a Coroutine
// expect-errors: 1
// expect-lines: 10
#include "tapestry/continuation/parallel/tuple2.hpp"

const auto program = tapestry::tupleN(tapestry::now(1), tapestry::now(2), tapestry::now(3));
