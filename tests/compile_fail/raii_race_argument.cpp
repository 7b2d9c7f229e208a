// expect: tapestry::race: expected programs
// expect-errors: 1
// expect-lines: 10
#include "tapestry/raii/race.hpp"

auto program(const tapestry::Do<int>& one) { return tapestry::race(one, 5); }
