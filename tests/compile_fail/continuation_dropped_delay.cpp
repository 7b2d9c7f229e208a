// expect: (ignoring return(ed)? value|unused-result)
#include "tapestry/continuation.hpp"

void start() {
  tapestry::delay([] { return 1; });
}
