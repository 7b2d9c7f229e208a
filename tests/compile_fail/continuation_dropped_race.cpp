// expect: (ignoring return(ed)? value|unused-result).*a program does nothing until it is run
// expect-lines: 10
#include "tapestry/continuation/parallel/race.hpp"

void start() { tapestry::race(tapestry::now(1), tapestry::now(2)); }
