// expect: tapestry::withClock: expected a clock and a program
// expect-errors: 1
// expect-lines: 10
#include "tapestry/continuation/clock.hpp"

const auto program = tapestry::withClock(tapestry::Clock::system(), 5);
