// expect: post\(.*expected a Do<A>, at most a callback f\(Outcome<A>\)
// expect-lines: 10
#include "tapestry/concurrent/dispatcher.hpp"

bool start(const tapestry::Dispatcher& dispatcher, const tapestry::Do<int>& program) {
  return dispatcher.post(program, [](int) {});
}
