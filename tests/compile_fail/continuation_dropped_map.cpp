// expect: (ignoring return(ed)? value|unused-result)
#include "tapestry/continuation.hpp"

void start() {
  tapestry::now(1).map([](int x) { return x; });
}
