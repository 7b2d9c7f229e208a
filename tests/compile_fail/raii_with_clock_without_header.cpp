// expect: withClock\(.*expected a Clock and a program; for a Do raii/environment.hpp
// expect-errors: 1
// expect-lines: 10
#include "tapestry/continuation/clock.hpp"
#include "tapestry/raii/do.hpp"

const auto program = tapestry::withClock(tapestry::Clock::system(), tapestry::Do<int>::now(1));
