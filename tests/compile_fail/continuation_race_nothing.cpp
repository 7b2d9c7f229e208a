// expect: tapestry::race: expected programs
// expect-errors: 1
// expect-lines: 10
#include "tapestry/continuation/parallel/race.hpp"

const auto program = tapestry::race();
