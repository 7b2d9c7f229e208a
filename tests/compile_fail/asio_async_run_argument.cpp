// expect: asyncRun\(.*expected a UnitContinuation or Do, at most an Executor&, a completion token
// expect-lines: 10
#include <boost/asio/detached.hpp>

#include "tapestry/continuation/asio/async_run.hpp"

void start() { tapestry::asyncRun(1, boost::asio::detached); }
