// expect: (ignoring return(ed)? value|unused-result)
#include "tapestry/raii.hpp"

void start() {
  tapestry::resource(tapestry::Do<int>::now(1), [](int) {});
}
