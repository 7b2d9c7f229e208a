#include "tapestry/raii/retry.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "tapestry/continuation/sleep_for.hpp"

namespace tapestry {

const char* TimeoutError::what() const noexcept { return "tapestry::timeout: the program took too long"; }

namespace detail {

void check(const RetryPolicy& policy, const char* operation) {
  const auto refuse = [operation](const std::string& what) {
    throw std::invalid_argument("tapestry::" + std::string(operation) + ": " + what);
  };
  if (policy.attempts == 0) refuse("got 0 attempts, expected at least 1");
  if (policy.delay < Clock::Duration::zero()) refuse("got a negative delay, expected 0 or more");
  if (policy.longest < Clock::Duration::zero()) refuse("got a negative longest delay, expected 0 or more");
  if (!(policy.factor >= 1))
    refuse("got a factor of " + std::to_string(policy.factor) + ", expected at least 1");
  if (!(policy.jitter >= 0 && policy.jitter <= 1))
    refuse("got a jitter of " + std::to_string(policy.jitter) + ", expected 0 to 1");
}

Clock::Duration waitAfter(const RetryPolicy& policy, unsigned failures, Random& random) {
  const double longest = static_cast<double>(policy.longest.count());
  if (policy.delay == Clock::Duration::zero()) return policy.delay;  // 0 times infinity is not a number
  const double full =
      static_cast<double>(policy.delay.count()) * std::pow(policy.factor, static_cast<double>(failures - 1));
  const double part = policy.jitter * random.uniform();
  const double wait = std::min(longest, full) * (1 - part);
  // a double cannot represent the greatest integer
  return wait >= longest ? policy.longest : Clock::Duration(static_cast<Clock::Duration::rep>(wait));
}

bool triesAgain(const RetryPolicy& policy, unsigned failures, const std::exception_ptr& error) {
  return failures < policy.attempts && (!policy.retries || policy.retries(error));
}

Do<void> backOff(const RetryPolicy& policy, unsigned failures, Location location) {
  return Do<void>::lift(askRandom().flatMap(
      [=](Random* random) { return sleepFor(waitAfter(policy, failures, *random), location); }));
}

}  // namespace detail

}  // namespace tapestry
