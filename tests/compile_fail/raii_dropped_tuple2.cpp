// expect: (ignoring return(ed)? value|unused-result)
#include "tapestry/raii.hpp"

void start(const tapestry::Do<int>& program) {
  tapestry::tuple2(tapestry::parallel(program), tapestry::parallel(program));
}
