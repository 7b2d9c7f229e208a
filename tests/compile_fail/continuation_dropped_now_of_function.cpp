// expect: (ignoring return(ed)? value|unused-result).*a program does nothing until it is run
// expect-lines: 13
// (no fewer, since g++ shows the call, the function, and the class)
#include "tapestry/continuation.hpp"

auto one() { return tapestry::now(1); }

void start() { one(); }
