// expect: withLock\(.*expected a Do
// expect-lines: 10
#include "tapestry/concurrent/mutex.hpp"

auto locked(const tapestry::Mutex& mutex) {
  return mutex.withLock([] { return 1; });
}
