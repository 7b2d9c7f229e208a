// expect: onComplete\(.*expected a callback f\(Outcome<A>\), then Executor, StopToken or both
// expect-lines: 10
// expect-errors: 3
#include "tapestry/raii.hpp"

void start() {
  tapestry::Do<int>::now(1).onComplete([](int) {});
}
