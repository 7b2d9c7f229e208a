// Defines race and raceAll of Do, which run programs in parallel and yield the first value.
#pragma once

#include <optional>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "tapestry/continuation/parallel/race.hpp"
#include "tapestry/raii/detail/do_join.hpp"

namespace tapestry {

namespace detail {

/// The judge of a race of Do: a success decides it.
struct FirstSuccess {
  template <class R>
  static bool decides(const Outcome<R>& outcome) noexcept {
    return outcome.hasValue() && outcome.get().value.hasValue();
  }
};

/// The branches that did not win: what they hold, and the errors of releases that they have run as they were
/// cancelled.
class Losers {
 public:
  template <class R>
  void add(Outcome<R>& outcome) {
    if (outcome.hasError()) errors_.append(outcome.error());
    if (outcome.hasValue() && outcome.get().release) releases_.push_back(*std::move(outcome.get().release));
  }

  /// Puts the winner into the run after all losers have been released; errors of their releases fail it.
  template <class A>
  void releaseBefore(Resource<UnitContinuationMonad, Try<A>> winner, Run& run) {
    using Result = Resource<UnitContinuationMonad, Try<A>>;
    winner.value.absorb(errors_);
    auto release = releaseInParallel(std::move(releases_));
    if (!release) return run.put(std::move(winner));
    UnitContinuation<Result> releasing =
        mask(*std::move(release)).map([once = Once<Result>(std::move(winner))](const Errors& errors) {
          Result result = once.take();
          result.value.absorb(errors);
          return result;
        });
    run.next(std::move(releasing).node());
  }

 private:
  Errors errors_;
  std::vector<UnitContinuation<Errors>> releases_;
};

template <class... As>
class [[nodiscard("a program does nothing until it is run")]] DoRace
    : public ProgramOperations<DoRace<As...>> {
  using Branches = GatherTuple<FirstSuccess, typename Do<As>::Acquired...>;
  using Value = std::variant<Stored<As>...>;

 public:
  using ValueType = Resource<UnitContinuationMonad, Try<Value>>;

  explicit DoRace(Location location, UnitContinuation<typename Do<As>::Acquired>... branches)
      : branches_(location, std::move(branches)...) {}

  void step(Run& run, Keeper keeper) const {
    constexpr auto finish = [](Run& r) {
      auto gathered = r.take<typename Branches::ValueType>();
      if (gathered.decisive == decltype(gathered)::none)
        std::apply([&](auto&... outcome) { noWinner<Value>(r, outcome...); }, gathered.outcomes);
      else
        settle(r, gathered.decisive, gathered.outcomes, std::index_sequence_for<As...>());
    };
    run.push<finish>(std::move(keeper));
    branches_.step(run, {});
  }

 private:
  template <class V, class... Os>
  static void noWinner(Run& run, Os&... outcome) {
    BranchesEnd end;
    (..., end.add(outcome));
    end.fail<V>(run);
  }

  template <class Outcomes, std::size_t... i>
  static void settle(Run& run, std::size_t winner, Outcomes& outcomes, std::index_sequence<i...>) {
    std::optional<ValueType> result;
    Losers losers;
    const auto sort = [&](auto index) {
      auto& outcome = std::get<index>(outcomes);
      if (index != winner) return losers.add(outcome);
      auto& acquired = outcome.get();
      result.emplace(ValueType{
          Try<Value>::of([&] { return Value(std::in_place_index<index>, std::move(acquired.value.get())); }),
          std::move(acquired.release)});
    };
    (..., sort(std::integral_constant<std::size_t, i>()));
    losers.releaseBefore<Value>(*std::move(result), run);
  }

  Branches branches_;
};

template <class A>
class [[nodiscard("a program does nothing until it is run")]] DoRaceRange
    : public ProgramOperations<DoRaceRange<A>> {
  using Branches = GatherRange<FirstSuccess, typename Do<A>::Acquired>;

 public:
  using ValueType = typename Do<A>::Acquired;

  DoRaceRange(std::vector<UnitContinuation<ValueType>> branches, Location location)
      : branches_(std::move(branches), location) {}

  void step(Run& run, Keeper keeper) const {
    constexpr auto finish = [](Run& r) {
      const auto gathered = r.take<typename Branches::ValueType>();
      auto& outcomes = gathered.outcomes;
      const std::size_t winner = gathered.decisive;
      BranchesEnd end;
      if (winner == Branches::ValueType::none) {
        for (auto& outcome : outcomes) end.add(outcome);
        return end.fail<A>(r);
      }
      ValueType result = std::move(outcomes[winner].get());
      Losers losers;
      for (std::size_t i = 0; i < outcomes.size(); ++i)
        if (i != winner) losers.add(outcomes[i]);
      losers.releaseBefore<A>(std::move(result), r);
    };
    run.push<finish>(std::move(keeper));
    branches_.step(run, {});
  }

 private:
  Branches branches_;
};

template <class... As>
auto raceDosAt(Location location, const Do<As>&... programs) {
  using Value = std::variant<Stored<As>...>;
  return Do<Value>(UnitContinuation<typename Do<Value>::Acquired>(
      stopToError<Value>(DoRace<As...>(location, programs.acquire()...))));
}

}  // namespace detail

/// Runs the programs in parallel, yields the first value that one of them has, as a variant by position, and
/// cancels the others, whose resources are released before it completes. A program that fails is out; where
/// all fail, so does this, with their errors in order. (`race(a.attempt(), b.attempt())` is decided by an
/// error too.)
template <class... As>
  requires(sizeof...(As) > 0)
[[nodiscard("a program does nothing until it is run")]] auto race(const Do<As>&... programs) {
  return detail::raceDosAt(detail::Location(), programs...);
}
// As above; for dumpRuns, these know where they were called, which one of any number cannot.
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

/// As race, of any number of programs of one type. With none at all it fails with std::invalid_argument.
template <class A>
[[nodiscard("a program does nothing until it is run")]] Do<A> raceAll(
    const std::vector<Do<A>>& programs, detail::Location location = detail::Location::current()) {
  if (programs.empty())
    return Do<A>::raiseError(
        std::invalid_argument("tapestry::raceAll: got no programs, expected at least one"));
  std::vector<UnitContinuation<typename Do<A>::Acquired>> branches;
  for (const auto& program : programs) branches.push_back(program.acquire());
  return Do<A>(UnitContinuation<typename Do<A>::Acquired>(
      detail::stopToError<A>(detail::DoRaceRange<A>(std::move(branches), location))));
}

}  // namespace tapestry
