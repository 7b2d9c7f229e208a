// expect: (ignoring return(ed)? value|unused-result).*a program does nothing until it is run
// expect-lines: 10
#include "tapestry/raii.hpp"

void start() {
  tapestry::resource(tapestry::Do<int>::now(1), [](int) {});
}
