#include <stdexcept>
#include <string>

#include "tapestry/concurrent/stream/detail/arguments.hpp"

namespace tapestry::detail {

namespace {

[[noreturn]] void refuse(const char* operation, const char* what, const std::string& got,
                         const char* expected) {
  throw std::invalid_argument(std::string("tapestry::") + operation + ": " + what + " is " + got +
                              ", expected " + expected);
}

}  // namespace

std::size_t positive(std::size_t count, const char* operation, const char* what) {
  if (count == 0) refuse(operation, what, "0", "at least 1");
  return count;
}

Clock::Duration notNegative(Clock::Duration duration, const char* operation, const char* what) {
  if (duration < Clock::Duration::zero())
    refuse(operation, what, std::to_string(duration.count()) + " ns", "at least 0");
  return duration;
}

}  // namespace tapestry::detail
