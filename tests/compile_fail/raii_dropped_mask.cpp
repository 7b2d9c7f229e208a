// expect: (ignoring return(ed)? value|unused-result).*a program does nothing until it is run
// expect-errors: 1
// expect-lines: 10
#include "tapestry/raii/mask.hpp"

void start(const tapestry::Do<int>& program) { tapestry::mask(program); }
