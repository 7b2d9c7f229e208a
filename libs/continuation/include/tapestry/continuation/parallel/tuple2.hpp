// Defines tuple2 and tupleN, which run programs in sequence or in parallel and yield all of their values.
#pragma once

#include <tuple>

#include "tapestry/continuation/ensure.hpp"
#include "tapestry/continuation/parallel/detail/gather_branches.hpp"
#include "tapestry/continuation/parallel/parallel.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

/// Puts all values, or stops the run with the errors of all branches, in order, or as cancelled if there are
/// no errors.
template <class... As>
struct ValuesOrErrors {
  using ValueType = std::tuple<Stored<As>...>;

  static void finish(Run& run, std::tuple<Outcome<As>...>& outcomes, std::size_t) {
    const auto allHaveValues = [](const auto&... outcome) { return (... && outcome.hasValue()); };
    if (!std::apply(allHaveValues, outcomes)) {
      run.stop(Errors());
      return finalizeAll(run, outcomes);
    }
    std::apply([&run](auto&... outcome) { run.put(ValueType(std::move(outcome.get())...)); }, outcomes);
  }
};

template <class PA, class PB>
class [[nodiscard("a program does nothing until it is run")]] Sequence
    : public ProgramOperations<Sequence<PA, PB>> {
  using A = Stored<typename PA::ValueType>;
  using B = Stored<typename PB::ValueType>;

 public:
  using ValueType = std::tuple<A, B>;

  Sequence(PA first, PB second) : first_(std::move(first)), second_(std::move(second)) {}

  void step(Run& run, Keeper keeper) const {
    run.keep(std::move(keeper));
    run.push<&Sequence::afterFirst>(this);
    first_.step(run, {});
  }

 private:
  void afterFirst(Run& run) const {
    constexpr auto afterSecond = [](HeldValue<A>& first, Run& r) {
      r.put(ValueType(std::move(first.value), r.take<B>()));
    };
    if (run.stopRequested()) return cancelHolding(run, run.take<A>());
    run.push<afterSecond, dropHeld<A>>(makeRef<HeldValue<A>>(run.take<A>()));
    second_.step(run, {});
  }

  PA first_;
  PB second_;
};

}  // namespace detail

/// Runs the first, then the second, and yields both values ("when_all", one after the other).
template <detail::Program PA, detail::Program PB>
[[nodiscard("a program does nothing until it is run")]] auto tuple2(PA first, PB second) {
  return detail::Sequence<PA, PB>(std::move(first), std::move(second));
}

void tuple2(...) = delete;  // expected two programs, parallel(p) both or none; direct<M> of a Coroutine

/// Runs the programs in parallel as far as the environment has idle workers, and yields all values, in order.
/// If one program is stopped, the others are asked to stop, and the combined program is stopped with their
/// errors, in order. Completes only when all programs have ended.
template <detail::Program... Ps>
[[nodiscard("a program does nothing until it is run")]] auto tupleN(Parallel<Ps>... programs) {
  using Branches = detail::GatherTuple<detail::NeverFails, typename Ps::ValueType...>;
  const detail::Location location = detail::locationOf(programs...);
  return detail::Joined<Branches, detail::ValuesOrErrors<typename Ps::ValueType...>>(
      Branches({UnitContinuation<typename Ps::ValueType>(std::move(programs.program))...}, location));
}

template <detail::Program PA, detail::Program PB>
[[nodiscard("a program does nothing until it is run")]] auto tuple2(Parallel<PA> first, Parallel<PB> second) {
  return tapestry::tupleN(std::move(first), std::move(second));
}

template <class = void>
void tupleN(detail::AnyArgument, ...) = delete;  // expected parallel(program)s; direct<M> of a Coroutine

}  // namespace tapestry
#pragma GCC visibility pop
