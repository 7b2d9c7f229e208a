// expect: (ignoring return(ed)? value|unused-result)
// expect-lines: 10
#include "tapestry/continuation.hpp"

tapestry::UnitContinuation<int> program();

void start() { program(); }
