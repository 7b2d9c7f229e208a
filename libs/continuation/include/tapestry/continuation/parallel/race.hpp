// Defines race and raceAll, which run programs in parallel and yield the first value.
#pragma once

#include <stdexcept>
#include <utility>
#include <variant>
#include <vector>

#include "tapestry/continuation/parallel/detail/gather_tuple.hpp"

namespace tapestry {

namespace detail {

/// The judge of a race: a value decides it.
struct FirstValue {
  template <class A>
  static bool decides(const Outcome<A>& outcome) noexcept {
    return outcome.hasValue();
  }
};

/// Puts the first value, as take(index) gives it, or, where no branch has one, stops the run with their
/// errors.
template <class A, class Gathered, class F>
void putWinner(Run& run, const Gathered& gathered, Errors errors, const F& take) {
  if (gathered.decisive == Gathered::none) return run.stop(std::move(errors));
  run.put<A>(take(gathered.decisive));
}

template <class... As>
class [[nodiscard("a program does nothing until it is run")]] Race : public ProgramOperations<Race<As...>> {
  using Branches = GatherTuple<FirstValue, As...>;

 public:
  using ValueType = std::variant<Stored<As>...>;

  explicit Race(Location location, UnitContinuation<As>... programs)
      : branches_(location, std::move(programs)...) {}

  void step(Run& run, Keeper keeper) const {
    run.push<finish>(std::move(keeper));
    branches_.step(run, {});
  }

 private:
  static void finish(Run& run) {
    auto gathered = run.take<typename Branches::ValueType>();
    std::apply(
        [&]<class... Os>(Os&... outcome) {
          Errors errors;
          (..., (outcome.hasError() ? errors.append(outcome.error()) : void()));
          putWinner<ValueType>(run, gathered, std::move(errors), [&](std::size_t winner) {
            return at(winner, std::index_sequence_for<As...>(), gathered.outcomes);
          });
        },
        gathered.outcomes);
  }

  template <std::size_t... i, class Outcomes>
  static ValueType at(std::size_t winner, std::index_sequence<i...>, Outcomes& outcomes) {
    using Take = ValueType (*)(Outcomes&);
    constexpr Take takes[] = {[](Outcomes& all) {
      return ValueType(std::in_place_index<i>, std::move(std::get<i>(all).get()));
    }...};
    return takes[winner](outcomes);
  }

  Branches branches_;
};

template <class A>
class [[nodiscard("a program does nothing until it is run")]] RaceRange
    : public ProgramOperations<RaceRange<A>> {
  using Branches = GatherRange<FirstValue, A>;

 public:
  using ValueType = A;

  RaceRange(std::vector<UnitContinuation<A>> programs, Location location)
      : empty_(programs.empty()), branches_(std::move(programs), location) {}

  void step(Run& run, Keeper keeper) const {
    run.push<&RaceRange::finish>(this, std::move(keeper));
    branches_.step(run, {});
  }

 private:
  void finish(Run& run) const {
    auto gathered = run.take<typename Branches::ValueType>();
    Errors errors;
    for (auto& outcome : gathered.outcomes)
      if (outcome.hasError()) errors.append(outcome.error());
    if (empty_)
      errors.append(std::make_exception_ptr(
          std::invalid_argument("tapestry::raceAll: got no programs, expected at least one")));
    putWinner<Stored<A>>(run, gathered, std::move(errors),
                         [&](std::size_t winner) { return std::move(gathered.outcomes[winner].get()); });
  }

  const bool empty_;
  Branches branches_;
};

template <class... Ps>
auto raceAt(Location location, Ps... programs) {
  return Race<typename Ps::ValueType...>(location,
                                         UnitContinuation<typename Ps::ValueType>(std::move(programs))...);
}

}  // namespace detail

/// Runs the programs in parallel, yields the first value that one of them has, as a variant by position, and
/// asks the others to stop. One that never suspends keeps its thread, and without workers the others from
/// beginning. It completes only when all have ended. Those that are stopped do not count; if all are, it is
/// stopped with their errors, in order.
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

void race(...) = delete;  // expected programs of one kind, at least one; direct<M> makes one of a Coroutine

/// As race, of any number of programs of one type. With none at all it is stopped with std::invalid_argument.
template <class A>
[[nodiscard("a program does nothing until it is run")]] auto raceAll(
    std::vector<UnitContinuation<A>> programs, detail::Location location = detail::Location::current()) {
  return detail::RaceRange<A>(std::move(programs), location);
}

void raceAll(...) = delete;  // expected a std::vector of UnitContinuation<A>, or of Do<A>

}  // namespace tapestry
