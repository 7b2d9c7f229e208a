// expect: (ignoring return(ed)? value|unused-result).*a program does nothing until it is run
// expect-lines: 10
// [code]
#include "tapestry/continuation.hpp"

void start() {
  tapestry::now(1).map([](int x) { return x; });
}
// [/code]
