// expect: raceAll\(.*expected a std::vector of UnitContinuation<A>, or of Do<A>
// expect-errors: 1
// expect-lines: 10
#include "tapestry/continuation/parallel/race.hpp"

const auto program = tapestry::raceAll(std::vector{tapestry::now(1), tapestry::now(2)});
