// expect: (ignoring return(ed)? value|unused-result)
// expect-lines: 10
#include "tapestry/continuation.hpp"

void start() {
  tapestry::delay([] { return 1; });
}
