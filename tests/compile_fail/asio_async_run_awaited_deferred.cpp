// expect: tapestry::asyncRun: got co_await of a run with the token deferred
#include <boost/version.hpp>

#if BOOST_VERSION > 108100
#error \
    "compiles with this Boost, and so not: tapestry::asyncRun: got co_await of a run with the token deferred"
#endif

#include <boost/asio/awaitable.hpp>
#include <boost/asio/deferred.hpp>

#include "tapestry/asio.hpp"
#include "tapestry/continuation.hpp"

boost::asio::awaitable<int> sum() {
  co_return co_await tapestry::asyncRun(tapestry::now(1), boost::asio::deferred);
}
