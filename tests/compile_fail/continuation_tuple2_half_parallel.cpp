// expect: tuple2\(.*expected two programs, parallel\(p\) both or none; direct<M> of a Coroutine
// expect-errors: 1
// expect-lines: 10
// [code]
#include "tapestry/continuation.hpp"

const auto program = tapestry::tuple2(tapestry::parallel(tapestry::now(1)), tapestry::now(2));
// [/code]
