// expect: (ignoring return(ed)? value|unused-result).*a program does nothing until it is run
// expect-lines: 13
// (no fewer, since g++ shows the call, the function, and the class)
#include "tapestry/continuation.hpp"

tapestry::UnitContinuation<int> program();

void start() { program(); }
