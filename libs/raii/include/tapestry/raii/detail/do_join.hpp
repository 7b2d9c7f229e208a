// Defines the programs that join the outcomes of parallel branches of Do into one Resource.
#pragma once

#include <tuple>
#include <utility>
#include <vector>

#include "tapestry/continuation/extend/gather.hpp"
#include "tapestry/raii/detail/stop_to_error.hpp"
#include "tapestry/raii/do.hpp"

namespace tapestry::detail {

/// The judge of branches of which none may fail.
struct FailedTry {
  template <class R>
  static bool decides(const Outcome<R>& outcome) noexcept {
    return !outcome.hasValue() || !outcome.get().value.hasValue();
  }
};

/// Runs the releases in parallel, and yields their errors in order.
Release<UnitContinuationMonad> releaseInParallel(std::vector<UnitContinuation<Errors>> releases);

/// What branches have left: errors in argument order, and releases of what they acquired.
class BranchesEnd {
 public:
  template <class A>
  void add(Outcome<Resource<UnitContinuationMonad, Try<A>>>& outcome) {
    if (!outcome.hasValue()) {
      complete_ = false;
      if (outcome.hasError()) errors_.append(outcome.error());
      return;
    }
    auto& resource = outcome.get();
    if (!resource.value.hasValue()) {
      complete_ = false;
      errors_.append(resource.value.error());
    }
    if (resource.release) releases_.push_back(*std::move(resource.release));
  }

  /// Puts the value with all releases into the run, or lets the run release everything, and then fail or
  /// stop.
  template <class B, class F>
  void join(Run& run, const F& value) {
    using Result = Resource<UnitContinuationMonad, Try<B>>;
    if (complete_) {
      auto joined = Try<B>::of(value);
      if (joined.hasValue())
        return run.put(Result{std::move(joined), releaseInParallel(std::move(releases_))});
      errors_.append(joined.error());
    }
    fail<B>(run);
  }

  /// Lets the run release everything, and then fail with the errors, or stop as cancelled if there are none.
  template <class B>
  void fail(Run& run) {
    using Result = Resource<UnitContinuationMonad, Try<B>>;
    auto release = releaseInParallel(std::move(releases_));
    auto releasing = release ? *std::move(release) : UnitContinuation<Errors>(now(Errors()));
    if (errors_.empty()) {
      run.stop(Errors());
      return finalizeStop(run, std::move(releasing).node());
    }
    UnitContinuation<Result> failing =
        mask(std::move(releasing)).map([errors = std::move(errors_)](const Errors& more) {
          auto failure = Try<B>::failure(errors.toException());
          failure.absorb(more);
          return Result{std::move(failure), {}};
        });
    run.next(std::move(failing).node());
  }

 private:
  bool complete_ = true;
  Errors errors_;
  std::vector<UnitContinuation<Errors>> releases_;
};

/// FailedTry as the judge cancels the others where one fails, NeverFails lets all run to their end.
template <class Judge, class... As>
class [[nodiscard("a program does nothing until it is run")]] DoJoinTuple
    : public ProgramOperations<DoJoinTuple<Judge, As...>> {
  using Value = std::tuple<Stored<As>...>;

 public:
  using ValueType = Resource<UnitContinuationMonad, Try<Value>>;

  explicit DoJoinTuple(Location location, UnitContinuation<typename Do<As>::Acquired>... branches)
      : branches_(location, std::move(branches)...) {}

  void step(Run& run, Keeper keeper) const {
    constexpr auto join = [](Run& r) {
      auto gathered = r.take<typename Branches::ValueType>();
      std::apply(
          [&r](auto&... outcome) {
            BranchesEnd end;
            (..., end.add(outcome));
            end.join<Value>(r, [&] { return Value(std::move(outcome.get().value.get())...); });
          },
          gathered.outcomes);
    };
    run.push<join>(std::move(keeper));
    branches_.step(run, {});
  }

 private:
  using Branches = GatherTuple<Judge, typename Do<As>::Acquired...>;
  Branches branches_;
};

template <class Judge, class A>
class [[nodiscard("a program does nothing until it is run")]] DoJoinRange
    : public ProgramOperations<DoJoinRange<Judge, A>> {
  using Value = std::vector<Stored<A>>;

 public:
  using ValueType = Resource<UnitContinuationMonad, Try<Value>>;

  DoJoinRange(std::vector<UnitContinuation<typename Do<A>::Acquired>> branches, Location location)
      : branches_(std::move(branches), location) {}

  void step(Run& run, Keeper keeper) const {
    constexpr auto join = [](Run& r) {
      const auto gathered = r.take<typename Branches::ValueType>();
      auto& outcomes = gathered.outcomes;
      BranchesEnd end;
      for (auto& outcome : outcomes) end.add(outcome);
      end.join<Value>(r, [&] {
        Value values;
        values.reserve(outcomes.size());
        for (auto& outcome : outcomes) values.push_back(std::move(outcome.get().value.get()));
        return values;
      });
    };
    run.push<join>(std::move(keeper));
    branches_.step(run, {});
  }

 private:
  using Branches = GatherRange<Judge, typename Do<A>::Acquired>;
  Branches branches_;
};

template <class Judge, class... As>
Do<std::tuple<Stored<As>...>> joinTuple(Location location, const Do<As>&... programs) {
  using Result = typename Do<std::tuple<Stored<As>...>>::Acquired;
  return Do<std::tuple<Stored<As>...>>(UnitContinuation<Result>(
      stopToError<std::tuple<Stored<As>...>>(DoJoinTuple<Judge, As...>(location, programs.acquire()...))));
}

template <class Judge, class A>
Do<std::vector<Stored<A>>> joinRange(const std::vector<Do<A>>& programs, Location location) {
  using Result = typename Do<std::vector<Stored<A>>>::Acquired;
  std::vector<UnitContinuation<typename Do<A>::Acquired>> branches;
  branches.reserve(programs.size());
  for (const auto& program : programs) branches.push_back(program.acquire());
  return Do<std::vector<Stored<A>>>(UnitContinuation<Result>(
      stopToError<std::vector<Stored<A>>>(DoJoinRange<Judge, A>(std::move(branches), location))));
}

}  // namespace tapestry::detail
