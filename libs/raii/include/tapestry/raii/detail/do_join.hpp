// Defines the programs that join the outcomes of parallel branches of Do into one Resource.
#pragma once

#include <cstddef>
#include <tuple>
#include <utility>
#include <vector>

#include "tapestry/continuation/extend/gather.hpp"
#include "tapestry/raii/detail/released_unless.hpp"
#include "tapestry/raii/detail/stop_to_error.hpp"
#include "tapestry/raii/do.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// The judge of branches that must all succeed.
struct FailedTry {
  template <class R>
  static bool decides(const Outcome<R>& outcome) noexcept {
    return !outcome.hasValue() || !outcome.get().value.hasValue();
  }
};

/// Runs the releases in parallel, and yields their errors in order.
Release<UnitContinuationMonad> releaseInParallel(std::vector<UnitContinuation<Errors>> releases);

/// The remains of branches: their errors in argument order, and the releases of their resources.
class BranchesEnd {
 public:
  /// From a tuple or a range of outcomes, whose values are used if `mayUse` is true and all branches have a
  /// value.
  template <class Outcomes>
  BranchesEnd(Outcomes& outcomes, bool mayUse) : complete_(mayUse) {
    detail::forEachIn(outcomes, [this](auto& outcome) { this->note(outcome); });
    releases_ = detail::releasesOf(outcomes, [this](auto& outcome) { return this->takeRelease(outcome); });
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
    auto release = releaseInParallel(std::move(releases_));
    auto releasing = release ? *std::move(release) : UnitContinuation<Errors>(now(Errors()));
    if (errors_.empty()) {
      run.stop(Errors());
      return finalizeStop(run, std::move(releasing).node());
    }
    run.next(afterRelease(std::move(releasing), Try<B>::failure(errors_.toException())).node());
  }

 private:
  template <class R>
  void note(const Outcome<R>& outcome) {
    if (outcome.hasValue() && outcome.get().value.hasValue()) return;
    complete_ = false;
    if (outcome.hasError()) errors_.append(outcome.error());
    if (outcome.hasValue()) errors_.append(outcome.get().value.error());
  }
  template <class R>
  Release<UnitContinuationMonad> takeRelease(Outcome<R>& outcome) {
    if (!outcome.hasValue()) return {};
    const bool isUsed = complete_ || outcome.get().value.error();
    return isUsed ? outcome.get().takeRelease() : outcome.get().takeReleaseUnused();
  }

  bool complete_;
  Errors errors_;
  std::vector<UnitContinuation<Errors>> releases_;
};

/// The values of the outcomes, a tuple or a range, which a tuple of one outcome could be mistaken for.
/// Precondition: all outcomes have a value.
template <class... As>
std::tuple<Stored<As>...> valuesOf(
    std::tuple<Outcome<Resource<UnitContinuationMonad, Try<As>>>...>& outcomes) {
  return std::apply(
      [](auto&... outcome) { return std::tuple<Stored<As>...>(std::move(outcome.get().value.get())...); },
      outcomes);
}
template <template <class...> class Range, class A>
  requires(!isInstance<std::tuple, Range<A>>)
std::vector<Stored<A>> valuesOf(Range<Outcome<Resource<UnitContinuationMonad, Try<A>>>>& outcomes) {
  std::vector<Stored<A>> values;
  values.reserve(outcomes.size());
  for (auto& outcome : outcomes) values.push_back(std::move(outcome.get().value.get()));
  return values;
}

/// Puts all values with the releases of all, or lets the run release everything, and then fail or stop.
template <class Outcomes>
struct AllOrErrors {
  using Value = decltype(valuesOf(std::declval<Outcomes&>()));
  using ValueType = Resource<UnitContinuationMonad, Try<Value>>;

  static void finish(Run& run, Outcomes& outcomes, std::size_t) {
    BranchesEnd end(outcomes, true);
    end.join<Value>(run, [&] { return valuesOf(outcomes); });
  }
};

/// The Do of the branches' outcomes, which Finish<Outcomes> puts into the run.
template <template <class> class Finish, class Branches>
auto joinedDo(Branches branches, const extend::At& place) {
  using Finished = Finish<typename Branches::Outcomes>;
  using Value = typename Finished::Value;
  return Do<Value>(stopToError<Value>(Joined<Branches, Finished>(std::move(branches)), place));
}

/// FailedTry as the judge cancels the other branches when one fails, NeverFails lets all run to their end.
template <class Judge, template <class> class Finish = AllOrErrors, class... As>
auto joinTuple(const extend::At& place, const Do<As>&... programs) {
  return joinedDo<Finish>(
      GatherTuple<Judge, typename Do<As>::Acquired...>({programs.acquire()...}, place.location), place);
}

template <class Judge, template <class> class Finish = AllOrErrors, class A>
auto joinRange(const std::vector<Do<A>>& programs, const extend::At& place) {
  std::vector<UnitContinuation<typename Do<A>::Acquired>> branches;
  branches.reserve(programs.size());
  for (const auto& program : programs) branches.push_back(program.acquire());
  return joinedDo<Finish>(GatherRange<Judge, typename Do<A>::Acquired>(std::move(branches), place.location),
                          place);
}

}  // namespace tapestry::detail
#pragma GCC visibility pop
