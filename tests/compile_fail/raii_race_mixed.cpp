// expect: race\(.*expected one or more programs of a kind; Do: raii/race.hpp; Coroutine: direct<M>
// expect-errors: 1
// expect-lines: 10
#include "tapestry/raii/race.hpp"

auto program(const tapestry::Do<int>& one) { return tapestry::race(one, tapestry::now(1)); }
