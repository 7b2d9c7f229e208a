// expect: withWriteLock\(.*expected a Do
// expect-lines: 10
#include "tapestry/concurrent/read_write_lock.hpp"

auto locked(const tapestry::ReadWriteLock& lock) {
  return lock.withWriteLock([] { return 1; });
}
