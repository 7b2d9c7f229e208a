// expect: asyncRun\(.*expected a program of a default-constructible value, or void
// expect-lines: 10
#include <boost/asio/use_future.hpp>

#include "tapestry/asio.hpp"
#include "tapestry/continuation.hpp"

struct Id {
  explicit Id(int given) : value(given) {}
  int value;
};

auto start() {
  return tapestry::asyncRun(tapestry::delay([] { return Id(1); }), boost::asio::use_future);
}
