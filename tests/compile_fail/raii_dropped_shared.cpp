// expect: (ignoring return(ed)? value|unused-result)
#include "tapestry/raii.hpp"

void start(const tapestry::Do<int>& program) { program.shared(); }
