// expect: (ignoring return(ed)? value|unused-result)
// expect-lines: 10
#include "tapestry/continuation/sleep_for.hpp"

void start() { tapestry::sleepFor(std::chrono::seconds(1)); }
