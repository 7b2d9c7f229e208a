// Defines timeout, which ends a program that takes too long.
#pragma once

#include <optional>
#include <utility>

#include "tapestry/continuation/detail/deadline.hpp"
#include "tapestry/continuation/unit_continuation.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

template <class A>
struct OptionalIfLate {
  using ValueType = std::optional<A>;

  static ValueType of(A value) { return ValueType(std::move(value)); }
  static void late(Errors errors, Run& run) {
    if (!errors.empty()) return run.stop(std::move(errors));
    run.put<ValueType>(std::nullopt);
  }
};

}  // namespace detail

/// Yields the value, or nothing if the program takes longer than the duration by the run's clock. The program
/// is then asked to stop, even if it never suspends. Completes only when the program has ended.
template <detail::Program P>
[[nodiscard("a program does nothing until it is run")]] auto timeout(P program, detail::Ticks duration) {
  using A = Stored<typename P::ValueType>;
  return detail::Timed<P, detail::OptionalIfLate<A>>(std::move(program), duration.count);
}

void timeout(...) = delete;  // expected a program and a std::chrono::duration

}  // namespace tapestry
#pragma GCC visibility pop
