// expect: raceAll\(.*expected a std::vector of UnitContinuation<A>, or of Do<A>
// expect-errors: 1
// expect-lines: 10
#include "tapestry/raii/race.hpp"

auto program(const tapestry::Do<int>& one) { return tapestry::raceAll(one); }
