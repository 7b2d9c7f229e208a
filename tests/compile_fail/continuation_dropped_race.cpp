// expect: ignoring return value of .*(a program does nothing until it is run|function declared with 'nodiscard' attribute)
// expect-lines: 10
#include "tapestry/continuation/race.hpp"

void start() { tapestry::race(tapestry::now(1), tapestry::now(2)); }
