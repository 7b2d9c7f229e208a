// expect: race\(.*expected programs of one kind, at least one; direct<M> makes one of a Coroutine
// expect-errors: 1
// expect-lines: 10
#include "tapestry/continuation/parallel/race.hpp"

const auto program = tapestry::race(tapestry::now(1), 5);
