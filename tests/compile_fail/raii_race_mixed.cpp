// expect: race\(.*expected programs of one kind, at least one; direct<M> makes one of a Coroutine
// expect-errors: 1
// expect-lines: 10
#include "tapestry/raii/race.hpp"

auto program(const tapestry::Do<int>& one) { return tapestry::race(one, tapestry::now(1)); }
