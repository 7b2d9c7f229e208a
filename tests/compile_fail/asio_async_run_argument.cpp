// expect: tapestry::asyncRun: expected a UnitContinuation or a Do, and a completion token
// expect-lines: 10
#include <boost/asio/detached.hpp>

#include "tapestry/continuation/asio/async_run.hpp"

void start() { tapestry::asyncRun(1, boost::asio::detached); }
