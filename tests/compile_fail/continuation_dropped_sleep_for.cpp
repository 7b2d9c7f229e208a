// expect: (ignoring return(ed)? value|unused-result).*a program does nothing until it is run
// expect-lines: 10
#include "tapestry/continuation/sleep_for.hpp"

void start() { tapestry::sleepFor(std::chrono::seconds(1)); }
