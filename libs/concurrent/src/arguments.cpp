#include <stdexcept>
#include <string>

#include "tapestry/concurrent/detail/arguments.hpp"

namespace tapestry::detail {

namespace {

[[noreturn]] void refuse(const char* operation, const char* what, const std::string& got,
                         std::ptrdiff_t least) {
  throw std::invalid_argument(std::string("tapestry::") + operation + ": " + what + " is " + got +
                              ", expected at least " + std::to_string(least));
}

}  // namespace

std::size_t atLeast(std::ptrdiff_t least, std::ptrdiff_t count, const char* operation, const char* what) {
  if (count < least) refuse(operation, what, std::to_string(count), least);
  return static_cast<std::size_t>(count);
}

std::size_t positive(std::size_t count, const char* operation, const char* what) {
  if (count == 0) refuse(operation, what, "0", 1);
  return count;
}

Clock::Duration notNegative(Clock::Duration duration, const char* operation, const char* what) {
  if (duration < Clock::Duration::zero())
    refuse(operation, what, std::to_string(duration.count()) + " ns", 0);
  return duration;
}

}  // namespace tapestry::detail
