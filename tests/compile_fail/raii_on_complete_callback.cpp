// expect: tapestry::Do::onComplete: the callback does not accept the outcome, expected f\(Outcome<A>\)
// expect-lines: 10
// expect-errors: 3
#include "tapestry/raii.hpp"

void start() {
  tapestry::Do<int>::now(1).onComplete([](int) {});
}
