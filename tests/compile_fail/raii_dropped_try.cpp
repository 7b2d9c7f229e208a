// expect: (ignoring return(ed)? value|unused-result)
// expect-lines: 15
// (no fewer, since g++ shows the call, the function, and the class)
#include "tapestry/raii.hpp"

void start(const tapestry::Do<int>& program) { program.attempt().blockingAwait(); }
