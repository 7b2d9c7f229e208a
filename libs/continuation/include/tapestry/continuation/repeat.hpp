// Defines repeat, repeatUntil and forever, which run one program again and again, in constant memory.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include "tapestry/continuation/tail_rec_m.hpp"

namespace tapestry {

/// Runs the program so many times, one after the other, and yields nothing.
template <detail::Program P>
[[nodiscard("a program does nothing until it is run")]] auto repeat(P program, std::uint64_t times) {
  using Next = Step<std::uint64_t, void>;
  return tailRecM(
      times, [program = UnitContinuation<typename P::ValueType>(std::move(program))](std::uint64_t left) {
        return suspend([program, left]() -> UnitContinuation<Next> {
          if (left == 0) return now(Next::done());
          return program.map([left](auto&&...) { return Next::next(left - 1); });
        });
      });
}

void repeat(...) = delete;  // expected a program and a number of times

namespace detail {

/// A predicate on values A, of which each round can have a copy.
template <class F, class A>
concept DecidesOn =
    !std::is_void_v<A> && std::predicate<const F&, const Stored<A>&> && std::is_copy_constructible_v<F>;

}  // namespace detail

/// Runs the program until it yields a value that satisfies the predicate, which must not throw, and yields
/// that.
template <detail::Program P, detail::DecidesOn<typename P::ValueType> F>
[[nodiscard("a program does nothing until it is run")]] auto repeatUntil(
    P program, F predicate, detail::Location location = detail::Location::current()) {
  using A = typename P::ValueType;
  using Next = Step<Unit, A>;
  return tailRecM(
      Unit{},
      [program = UnitContinuation<A>(std::move(program)), predicate = std::move(predicate), location](Unit) {
        const auto decide = [predicate, location](A value) {
          const bool enough = detail::noThrow("repeatUntil", location, "predicate",
                                              [&]() -> bool { return predicate(std::as_const(value)); });
          return enough ? Next::done(std::move(value)) : Next::next(Unit{});
        };
        return program.map(decide, location);
      },
      location);
}

void repeatUntil(...) = delete;  // expected a program of a value, and a predicate bool(const value&) to copy

/// Runs the program again and again, until the run is stopped.
template <detail::Program P>
[[nodiscard("a program does nothing until it is run")]] auto forever(P program) {
  using Next = Step<Unit, void>;
  return tailRecM(Unit{}, [program = UnitContinuation<typename P::ValueType>(std::move(program))](Unit) {
    return program.map([](auto&&...) { return Next::next(Unit{}); });
  });
}

void forever(...) = delete;  // expected a program

}  // namespace tapestry
