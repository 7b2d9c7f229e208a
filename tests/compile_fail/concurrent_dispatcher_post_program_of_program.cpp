// expect: post\(.*expected a Do whose value is no program: flatMap for map
// expect-lines: 10
#include "tapestry/concurrent/dispatcher.hpp"

bool start(const tapestry::Dispatcher& dispatcher) {
  return dispatcher.post(tapestry::Do<int>::now(1).map([](int) { return tapestry::Do<void>::now(); }));
}
