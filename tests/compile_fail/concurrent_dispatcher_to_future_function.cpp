// expect: toFuture\(.*expected a Do
// expect-lines: 10
#include "tapestry/concurrent/dispatcher.hpp"

auto start(const tapestry::Dispatcher& dispatcher) {
  return dispatcher.toFuture([] { return 1; });
}
