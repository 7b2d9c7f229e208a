// expect: withClock\(.*expected a Clock and a program
// expect-errors: 1
// expect-lines: 10
#include "tapestry/raii/environment.hpp"

const auto program = tapestry::withClock(tapestry::Clock::system(), [] {});
