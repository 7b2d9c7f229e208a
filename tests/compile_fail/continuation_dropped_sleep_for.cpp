// expect: ignoring return value of .*(a program does nothing until it is run|function declared with 'nodiscard' attribute)
// expect-lines: 10
#include "tapestry/continuation/sleep_for.hpp"

void start() { tapestry::sleepFor(std::chrono::seconds(1)); }
