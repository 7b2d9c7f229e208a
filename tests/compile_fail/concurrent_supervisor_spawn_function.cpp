// expect: spawn\(.*expected a Do, at most a name
// expect-lines: 10
#include "tapestry/concurrent/supervisor.hpp"

auto start(const tapestry::Supervisor& supervisor) {
  return supervisor.spawn([] { return 1; });
}
