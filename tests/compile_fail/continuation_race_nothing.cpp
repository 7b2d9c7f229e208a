// expect: race\(.*expected programs of one kind; for a Do raii/race.hpp; for a Coroutine direct<M>
// expect-errors: 1
// expect-lines: 10
#include "tapestry/continuation/parallel/race.hpp"

const auto program = tapestry::race();
