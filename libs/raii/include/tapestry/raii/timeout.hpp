// Defines timeout of Do, which fails a program that takes too long, with TimeoutError.
#pragma once

#include <exception>
#include <utility>

#include "tapestry/continuation/parallel/timeout.hpp"
#include "tapestry/raii/do.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// The error of a program that took longer than its time limit.
struct TimeoutError final : std::exception {
  const char* what() const noexcept override;
};

namespace detail {

template <class A>
struct ErrorIfLate {
  using ValueType = typename Do<A>::Acquired;

  static ValueType of(ValueType acquired) { return acquired; }
  static void late(const Errors& errors, Run& run) {
    auto error = errors.empty() ? std::make_exception_ptr(TimeoutError()) : errors.toException();
    run.put(ValueType{Try<A>::failure(std::move(error)), {}});
  }
};

}  // namespace detail

/// The result of the program, or TimeoutError if it takes longer than the duration, by the run's clock: then
/// it is cancelled, even if it never suspends, and its resources are released; errors of these releases
/// replace TimeoutError. It completes only after the releases.
template <class A>
[[nodiscard("a program does nothing until it is run")]] Do<A> timeout(
    const Do<A>& program, detail::Ticks duration, detail::Location location = detail::Location::current()) {
  using Acquired = typename Do<A>::Acquired;
  detail::Timed<UnitContinuation<Acquired>, detail::ErrorIfLate<A>> timed(program.acquire(), duration.count);
  return Do<A>(std::move(timed).map([location](Acquired acquired) {
    extend::notePlace(acquired.value.error(), "timeout", location);
    return acquired;
  }));
}

}  // namespace tapestry
#pragma GCC visibility pop
