// Defines race and raceAll of Do, which run programs in parallel and yield the first value.
#pragma once

#include <concepts>
#include <cstddef>
#include <optional>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "tapestry/continuation/parallel/race.hpp"
#include "tapestry/raii/detail/do_join.hpp"
#include "tapestry/raii/detail/run_scope.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

/// The judge of a race of Do: a success decides it.
struct FirstSuccess {
  template <class R>
  static bool decides(const Outcome<R>& outcome) noexcept {
    return outcome.hasValue() && outcome.get().value.hasValue();
  }
};

/// The type of the winner among branches with these outcomes.
template <class Outcomes>
struct TriedOutcomes;
template <class... As>
struct TriedOutcomes<std::tuple<Outcome<Resource<UnitContinuationMonad, Try<As>>>...>> {
  using Winner = WinnerOf<std::tuple<Outcome<As>...>>;
};
template <class A>
struct TriedOutcomes<std::vector<Outcome<Resource<UnitContinuationMonad, Try<A>>>>> {
  using Winner = WinnerOf<std::vector<Outcome<A>>>;
};

/// Puts the first success after the other branches have been released, or, if there is none, fails with all
/// errors.
template <class Outcomes>
struct FirstSuccessOrErrors {
  using Winner = typename TriedOutcomes<Outcomes>::Winner;
  using Value = typename Winner::ValueType;
  using ValueType = Resource<UnitContinuationMonad, Try<Value>>;

  static void finish(Run& run, Outcomes& outcomes, std::size_t decisive) {
    if (decisive == OutcomesGather<Outcomes>::none) {
      BranchesEnd end(outcomes, false);
      return end.fail<Value>(run);
    }
    std::optional<ValueType> result;
    const void* winner = nullptr;
    detail::atIndex(outcomes, decisive, [&](auto index, auto& outcome) {
      winner = &outcome;
      auto& acquired = outcome.get();
      auto release = releaseOf(index, acquired);
      result.emplace(ValueType{valueOf(index, acquired.value), std::move(release)});
    });
    // the branches that did not win may have failed in the releases that they ran when they were cancelled
    Errors errors;
    detail::forEachIn(outcomes, [&](const auto& outcome) {
      if (outcome.hasError()) errors.append(outcome.error());
    });
    auto releases = detail::releasesOf(outcomes, [winner](auto& outcome) {
      const bool isLoser = &outcome != winner && outcome.hasValue();
      return isLoser ? outcome.get().takeReleaseUnused() : Release<UnitContinuationMonad>();
    });
    result->absorb(errors);
    auto release = releaseInParallel(std::move(releases));
    if (!release) return run.put(*std::move(result));
    run.next(afterRelease(*std::move(release), std::move(result->value), std::move(result->release)).node());
  }

 private:
  /// The winner's release, for its value as a variant.
  template <class Index, class A>
  static Release<UnitContinuationMonad> releaseOf(Index, Resource<UnitContinuationMonad, Try<A>>& winner) {
    if constexpr (!std::same_as<A, Value>) {
      winner.mapReturn([](UnitContinuation<Errors> release) {
        return returnedPart<Try<Value>, Try<A>>(std::move(release), [](Try<Value>& variant) noexcept {
          return Try<A>::success(std::get<Index::value>(std::move(variant.get())));
        });
      });
    }
    return std::move(winner.release);
  }
  template <class Index, class A>
  static Try<Value> valueOf(Index index, Try<A>& value) {
    if constexpr (std::same_as<A, Value>)
      return std::move(value);
    else
      return Try<Value>::of([&] { return Winner::of(index, std::move(value.get())); });
  }
};

template <class... As>
auto raceDosAt(Location location, const Do<As>&... programs) {
  return joinTuple<FirstSuccess, FirstSuccessOrErrors>({"race", location}, programs...);
}

}  // namespace detail

/// Runs the programs in parallel, yields the first value, as a variant by position, and cancels the other
/// programs, whose resources are released before the race completes. A program that fails leaves the race; if
/// all fail, the race fails with their errors in order. (An error also decides `race(a.attempt(),
/// b.attempt())`.)
template <class... As>
  requires(sizeof...(As) > 0)
[[nodiscard("a program does nothing until it is run")]] auto race(const Do<As>&... programs) {
  return detail::raceDosAt(detail::Location(), programs...);
}
// As above, with the caller's location for dumpRuns; a parameter pack cannot be followed by a default
// argument.
template <class A, class B>
[[nodiscard("a program does nothing until it is run")]] auto race(
    const Do<A>& first, const Do<B>& second, detail::Location location = detail::Location::current()) {
  return detail::raceDosAt(location, first, second);
}
template <class A, class B, class C>
[[nodiscard("a program does nothing until it is run")]] auto race(
    const Do<A>& first, const Do<B>& second, const Do<C>& third,
    detail::Location location = detail::Location::current()) {
  return detail::raceDosAt(location, first, second, third);
}

/// As race, for a vector of programs. Fails with std::invalid_argument for an empty vector.
template <class A>
[[nodiscard("a program does nothing until it is run")]] Do<A> raceAll(
    const std::vector<Do<A>>& programs, detail::Location location = detail::Location::current()) {
  if (programs.empty())
    return Do<A>::raiseError(
        std::invalid_argument("tapestry::raceAll: got no programs, expected at least one"), location);
  return detail::joinRange<detail::FirstSuccess, detail::FirstSuccessOrErrors>(programs,
                                                                               {"raceAll", location});
}

}  // namespace tapestry
#pragma GCC visibility pop
