// expect: race\(.*expected programs of one kind; for a Do raii/race.hpp; for a Coroutine direct<M>
// expect-errors: 1
// expect-lines: 10
#include "tapestry/raii/race.hpp"

auto program(const tapestry::Do<int>& one) { return tapestry::race(one, tapestry::now(1)); }
