// expect: tapestry::onComplete: the callback does not accept the outcome, expected f\(Outcome<A>\)
// expect-lines: 10
#include "tapestry/continuation.hpp"

void start() {
  tapestry::now(1).onComplete([](int) {});
}
