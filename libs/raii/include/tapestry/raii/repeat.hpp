// Defines repeat, repeatUntil and forever of Do, which run one program again and again, in constant memory.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <utility>

#include "tapestry/continuation/repeat.hpp"
#include "tapestry/raii/detail/released_unless.hpp"
#include "tapestry/raii/detail/run_scope.hpp"
#include "tapestry/raii/do.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

/// Runs the program, each time in a separate scope, until it fails or `enough()` is true after a round.
template <class A, class F>
Do<void> inScopesUntil(const Do<A>& program, F enough) {
  using Acquired = Do<void>::Acquired;
  using Round = typename Do<A>::Acquired;  // whose error a request to stop after the round does not replace
  const auto judge = [enough](const Round& round) mutable {
    if (!round.value.hasValue()) return std::optional(Acquired{Try<void>::failure(round.value.error()), {}});
    return enough() ? std::optional(Acquired{Try<void>::success(Unit{}), {}}) : std::nullopt;
  };
  return Do<void>(again<Acquired>(RunScope<A, Round>(program.acquire()), judge));
}

/// Runs the program until it yields a value.
template <class A>
Do<A> untilSome(const Do<std::optional<A>>& program) {
  return program.flatMap([program](std::optional<A> value) -> Do<A> {
    if (!value) return detail::untilSome(program);
    return Do<A>::delay([once = Once<A>(*std::move(value))] { return once.take(); });
  });
}

}  // namespace detail

/// Runs the program the given number of times, one after the other, or until it fails, and yields nothing.
/// Each round is a scope: its resources are released before the next round.
template <class A>
[[nodiscard("a program does nothing until it is run")]] Do<void> repeat(const Do<A>& program,
                                                                        std::uint64_t times) {
  if (times == 0) return Do<void>::now();
  return detail::inScopesUntil(program, [left = times]() mutable { return --left == 0; });
}

/// Runs the program until it yields a value that satisfies the predicate, and yields that value, or until it
/// fails. The resources of a round are released before the next round; those of the last stay until the scope
/// ends.
template <class A, class F>
  requires(!std::is_void_v<A>) && std::predicate<const F&, const Stored<A>&>
[[nodiscard("a program does nothing until it is run")]] Do<A> repeatUntil(const Do<A>& program, F predicate) {
  const Do<std::optional<A>> some = program.map([predicate = std::move(predicate)](A value) {
    return predicate(std::as_const(value)) ? std::optional<A>(std::move(value)) : std::nullopt;
  });
  return detail::untilSome<A>(detail::releasedUnless(
      some, [](const auto& result) { return !result.hasValue() || result.get().has_value(); }));
}

/// Runs the program again and again, until it fails or the run is stopped. Each round is a scope.
template <class A>
[[nodiscard("a program does nothing until it is run")]] Do<void> forever(const Do<A>& program) {
  return detail::inScopesUntil(program, [] { return false; });
}

}  // namespace tapestry
#pragma GCC visibility pop
