// expect: (ignoring return value of|unused-result).*a Try may hold an error
// expect-lines: 10
#include "tapestry/raii.hpp"

void start(const tapestry::Do<int>& program) { program.attempt().blockingAwait(); }
