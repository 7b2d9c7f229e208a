// Defines race and raceAll, which run programs in parallel and yield the first value.
#pragma once

#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "tapestry/continuation/parallel/detail/gather_branches.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

/// The judge of a race: a value stops the other branches.
struct FirstValue {
  template <class A>
  static bool decides(const Outcome<A>& outcome) noexcept {
    return outcome.hasValue();
  }
};

/// The value of the winner among branches with these outcomes: a variant by position, or, for a vector, the
/// value. `mayNotDrop` says whether values of other branches must be finalized.
template <class Outcomes>
struct WinnerOf;
template <class... As>
struct WinnerOf<std::tuple<Outcome<As>...>> {
  using ValueType = std::variant<Stored<As>...>;
  static constexpr bool mayNotDrop = (... || Abandonable<Stored<As>>);
  template <std::size_t i, class A>
  static ValueType of(std::integral_constant<std::size_t, i>, A&& value) {
    return ValueType(std::in_place_index<i>, std::move(value));
  }
};
template <class A>
struct WinnerOf<std::vector<Outcome<A>>> {
  using ValueType = A;
  static constexpr bool mayNotDrop = Abandonable<Stored<A>>;
  static Stored<A> of(std::size_t, Stored<A>&& value) { return std::move(value); }
};

/// Puts the first value, after the finalizers of other values, or, if no branch has one, stops the run with
/// the errors of all branches.
template <class Outcomes>
struct FirstOrErrors {
  using Winner = WinnerOf<Outcomes>;
  using ValueType = typename Winner::ValueType;

  static void finish(Run& run, Outcomes& outcomes, std::size_t decisive) {
    if (decisive == OutcomesGather<Outcomes>::none) {
      run.stop(failure(outcomes));
      return finalizeAll(run, outcomes);
    }
    detail::atIndex(outcomes, decisive, [&](auto index, auto& outcome) {
      constexpr auto wrap = [](auto&& value) {
        return Winner::of(decltype(index)(), std::forward<decltype(value)>(value));
      };
      if constexpr (Winner::mayNotDrop)
        putAfter(run, finalizersOf(outcomes, &outcome), std::move(outcome.get()), wrap);
      else
        run.put<Stored<ValueType>>(wrap(std::move(outcome.get())));
    });
  }

 private:
  static Errors failure(const Outcomes& outcomes) {
    if constexpr (requires { outcomes.empty(); })
      if (outcomes.empty())
        return Errors(std::make_exception_ptr(
            std::invalid_argument("tapestry::raceAll: got no programs, expected at least one")));
    return Errors();
  }
};

template <class Branches>
auto raceOf(Branches branches) {
  return Joined<Branches, FirstOrErrors<typename Branches::Outcomes>>(std::move(branches));
}

template <class... Ps>
auto raceAt(Location location, Ps... programs) {
  return detail::raceOf(GatherTuple<FirstValue, typename Ps::ValueType...>(
      {UnitContinuation<typename Ps::ValueType>(std::move(programs))...}, location));
}

}  // namespace detail

/// Runs the programs in parallel, yields the first value, as a variant by position, and asks the other
/// programs to stop. A program that never suspends keeps its thread, and without workers keeps the others
/// from beginning. The race completes only when all programs have ended. Stopped programs do not count; if
/// all are stopped, the race is stopped with their errors, in order.
template <detail::Program... Ps>
  requires(sizeof...(Ps) > 0)
[[nodiscard("a program does nothing until it is run")]] auto race(Ps... programs) {
  return detail::raceAt(detail::Location(), std::move(programs)...);
}
// As above. These overloads record where they were called, for dumpRuns; a variadic function cannot take a
// default argument for that.
template <detail::Program P1, detail::Program P2>
[[nodiscard("a program does nothing until it is run")]] auto race(
    P1 first, P2 second, detail::Location location = detail::Location::current()) {
  return detail::raceAt(location, std::move(first), std::move(second));
}
template <detail::Program P1, detail::Program P2, detail::Program P3>
[[nodiscard("a program does nothing until it is run")]] auto race(
    P1 first, P2 second, P3 third, detail::Location location = detail::Location::current()) {
  return detail::raceAt(location, std::move(first), std::move(second), std::move(third));
}

void race(...) = delete;  // expected one or more programs of a kind; Do: raii/race.hpp; Coroutine: direct<M>

/// As race, for any number of programs of one type. Without programs it is stopped with
/// std::invalid_argument.
template <class A>
[[nodiscard("a program does nothing until it is run")]] auto raceAll(
    std::vector<UnitContinuation<A>> programs, detail::Location location = detail::Location::current()) {
  return detail::raceOf(detail::GatherRange<detail::FirstValue, A>(std::move(programs), location));
}

void raceAll(...) = delete;  // expected a std::vector of UnitContinuation<A>, or of Do<A>

}  // namespace tapestry
#pragma GCC visibility pop
