// expect: asyncRun\(.*expected a UnitContinuation or Do, at most an Executor&, a completion token
// expect-lines: 10
#include "tapestry/continuation/asio/async_run.hpp"
#include "tapestry/continuation/now.hpp"

void start() {
  tapestry::asyncRun(tapestry::now(1), [](int) {});
}
