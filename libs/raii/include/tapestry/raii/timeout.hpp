// Defines timeout of Do, which fails a program that takes too long, with TimeoutError.
#pragma once

#include <exception>
#include <variant>

#include "tapestry/continuation/sleep_for.hpp"
#include "tapestry/raii/race.hpp"

namespace tapestry {

/// The error of a program that took longer than it was given.
struct TimeoutError final : std::exception {
  const char* what() const noexcept override;
};

namespace detail {

/// Yields or fails as the result says. For a program that is run once.
template <class A>
Do<A> fromTry(Try<A> result) {
  return Do<A>::delay([once = Once<Try<A>>(std::move(result))] { return once.take().valueOrThrow(); });
}

}  // namespace detail

/// The program, or TimeoutError if it takes longer than the duration, by the run's clock: then it is
/// cancelled, and what it acquired is released. It completes only when all that is done.
template <class A>
[[nodiscard]] Do<A> timeout(const Do<A>& program, Clock::Duration duration) {
  const auto late = Do<void>::lift(sleepFor(duration));
  return race(program.attempt(), late).flatMap([](std::variant<Try<A>, Unit> first) -> Do<A> {
    if (first.index() != 0) return Do<A>::raiseError(TimeoutError());
    return detail::fromTry(std::get<0>(std::move(first)));
  });
}

}  // namespace tapestry
