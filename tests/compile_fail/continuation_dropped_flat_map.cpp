// expect: ignoring return value of .*(a program does nothing until it is run|function declared with 'nodiscard' attribute)
// expect-lines: 10
#include "tapestry/continuation.hpp"

void start() {
  tapestry::now(1).flatMap([](int x) { return tapestry::now(x); });
}
