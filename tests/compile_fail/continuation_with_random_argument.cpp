// expect: withRandom\(.*expected a Random and a program
// expect-lines: 10
#include "tapestry/continuation/random.hpp"

tapestry::Random random_(1);
const auto program = tapestry::withRandom(random_, [] { return 1; });
