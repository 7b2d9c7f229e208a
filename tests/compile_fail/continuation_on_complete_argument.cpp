// expect: onComplete\(.*expected a callback f\(Outcome<A>\), then Executor, StopToken or both
// expect-lines: 10
#include "tapestry/continuation.hpp"

void start() {
  tapestry::now(1).onComplete([](int) {});
}
