// expect: spawn\(.*expected a Do whose value is no program: flatMap for map
// expect-lines: 10
#include "tapestry/concurrent/supervisor.hpp"

auto start(const tapestry::Supervisor& supervisor) {
  const auto program = tapestry::Do<int>::now(1).map([](int) { return tapestry::Do<void>::now(); });
  return supervisor.spawn(program, "task");
}
