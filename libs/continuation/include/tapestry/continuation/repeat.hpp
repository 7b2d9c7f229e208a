// Defines repeat, repeatUntil and forever, which run one program again and again, in constant memory.
#pragma once

#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

#include "tapestry/continuation/detail/again.hpp"
#include "tapestry/continuation/now.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// Runs the program the given number of times, one run after the other, and yields nothing.
template <detail::Program P>
[[nodiscard("a program does nothing until it is run")]] UnitContinuation<void> repeat(P program,
                                                                                      std::uint64_t times) {
  using A = typename P::ValueType;
  if (times == 0) return now();
  const auto judge = [left = times](auto&&) mutable {
    return --left == 0 ? std::optional(Unit{}) : std::nullopt;
  };
  return detail::again<void>(UnitContinuation<A>(std::move(program)), judge);
}

void repeat(...) = delete;  // expected a program and a number of times

namespace detail {

/// A predicate on values A, which is copied for each run.
template <class F, class A>
concept DecidesOn =
    !std::is_void_v<A> && std::predicate<const F&, const Stored<A>&> && std::is_copy_constructible_v<F>;

}  // namespace detail

/// Runs the program repeatedly until its value satisfies the predicate, and yields this value. The predicate
/// must not throw.
template <detail::Program P, detail::DecidesOn<typename P::ValueType> F>
[[nodiscard("a program does nothing until it is run")]] auto repeatUntil(
    P program, F predicate, detail::Location location = detail::Location::current()) {
  using A = typename P::ValueType;
  auto judge = [predicate = std::move(predicate), location](A value) -> std::optional<A> {
    const bool enough = detail::noThrow("repeatUntil", location, "predicate",
                                        [&]() -> bool { return predicate(std::as_const(value)); });
    return enough ? std::optional<A>(std::move(value)) : std::nullopt;
  };
  return detail::again<A>(UnitContinuation<A>(std::move(program)), std::move(judge));
}

void repeatUntil(...) = delete;  // expected a program of a value, and a predicate bool(const value&) to copy

/// Runs the program repeatedly until the run is stopped.
template <detail::Program P>
[[nodiscard("a program does nothing until it is run")]] UnitContinuation<void> forever(P program) {
  const auto judge = [](auto&&) { return std::optional<Unit>(); };
  return detail::again<void>(UnitContinuation(std::move(program)), judge);
}

void forever(...) = delete;  // expected a program

}  // namespace tapestry
#pragma GCC visibility pop
