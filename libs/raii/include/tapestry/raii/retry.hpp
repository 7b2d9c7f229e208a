// Defines retry, which runs a program again when it fails, and RetryPolicy, the attempts and the waits
// between.
#pragma once

#include <chrono>
#include <exception>
#include <functional>

#include "tapestry/continuation/random.hpp"
#include "tapestry/raii/detail/released_unless.hpp"
#include "tapestry/raii/timeout.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// Exponential backoff: after the n-th failure the run waits for min(delay * factor^(n-1), longest), less a
/// random part, up to the fraction `jitter` of it, so that runs that fail together do not come back together.
/// The random numbers are from the run's source, which `withRandom` sets.
struct RetryPolicy {
  unsigned attempts = 3;  ///< in all; at least 1
  Clock::Duration delay = std::chrono::milliseconds(100);
  double factor = 2;
  Clock::Duration longest = std::chrono::seconds(30);
  double jitter = 0;  ///< 0 to 1
  /// Whether to try again after the error; null means always.
  std::function<bool(const std::exception_ptr&)> retries = nullptr;
};

namespace detail {

/// Throws std::invalid_argument, which names the operation and the member that is out of range.
void check(const RetryPolicy& policy, const char* operation);
/// The wait after the n-th failure.
Clock::Duration waitAfter(const RetryPolicy& policy, unsigned failures, Random& random);
/// Whether to try again after the n-th failure, with this error.
bool triesAgain(const RetryPolicy& policy, unsigned failures, const std::exception_ptr& error);
/// Waits after the n-th failure.
Do<void> backOff(const RetryPolicy& policy, unsigned failures, Location location);

template <class A>
Do<A> retry(const Do<A>& once, const RetryPolicy& policy, unsigned failures, Location location) {
  return once.handleError([=](const std::exception_ptr& error) {
    const unsigned failed = failures + 1;
    if (!triesAgain(policy, failed, error)) return Do<A>::raiseError(error);
    return backOff(policy, failed, location).flatMap([=] {
      return detail::retry(once, policy, failed, location);
    });
  });
}

}  // namespace detail

/// Runs the program until it succeeds, at most policy.attempts times, and waits in between; fails with the
/// last error. The resources of a failed attempt are released before the next. Throws std::invalid_argument
/// for a policy with a member out of range.
template <class A>
[[nodiscard("a program does nothing until it is run")]] Do<A> retry(
    const Do<A>& program, RetryPolicy policy = {}, detail::Location location = detail::Location::current()) {
  detail::check(policy, "retry");
  return detail::retry(detail::releasedOnFailure(program), policy, 0, location);
}

void retry(...) = delete;  // expected a Do and a RetryPolicy

}  // namespace tapestry
#pragma GCC visibility pop
