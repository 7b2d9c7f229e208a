#include "tapestry/concurrent/detail/check_serve.hpp"

#include <stdexcept>
#include <string>

namespace tapestry::detail {

namespace {

void checkTime(const char* name, Clock::Duration time) {
  if (time >= Clock::Duration::zero()) return;
  throw std::invalid_argument("tapestry::serve: " + std::string(name) + " is below 0, got " +
                              std::to_string(time.count()) + " ns, expected at least 0");
}

}  // namespace

void checkServe(std::size_t connections, std::optional<Clock::Duration> timeout, Clock::Duration drain) {
  if (connections == 0)
    throw std::invalid_argument("tapestry::serve: there are no connections, got 0, expected at least 1");
  if (timeout) checkTime("the timeout", *timeout);
  checkTime("the time to drain", drain);
}

}  // namespace tapestry::detail
