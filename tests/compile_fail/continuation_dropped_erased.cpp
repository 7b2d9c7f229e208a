// expect: (ignoring return(ed)? value|unused-result)
#include "tapestry/continuation.hpp"

tapestry::UnitContinuation<int> program();

void start() { program(); }
