// expect: race\(.*expected one or more programs of a kind; Do: raii/race.hpp; Coroutine: direct<M>
// expect-errors: 1
// expect-lines: 10
#include "tapestry/continuation/parallel/race.hpp"

const auto program = tapestry::race();
