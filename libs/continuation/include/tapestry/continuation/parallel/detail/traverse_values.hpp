// Defines TraverseValues and TraverseAll, traversals of programs that cannot fail.
#pragma once

#include <deque>
#include <ranges>
#include <utility>
#include <vector>

#include "tapestry/continuation/parallel/detail/gather_branches.hpp"
#include "tapestry/continuation/parallel/detail/gather_traverse.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// Puts the values of all branches, or stops with the errors of branches without a value.
template <class A>
struct TraversedValues {
  using ValueType = std::vector<Stored<A>>;

  static void finish(Run& run, Traversed<std::deque<Outcome<A>>> traversed) {
    Errors errors;
    ValueType values;
    values.reserve(traversed.outcomes.size());
    for (auto& outcome : traversed.outcomes) {
      if (outcome.hasError()) errors.append(outcome.error());
      if (outcome.hasValue()) values.push_back(std::move(outcome.get()));
    }
    if (!traversed.exhausted || values.size() != traversed.outcomes.size())
      return run.stop(std::move(errors));
    run.put<ValueType>(std::move(values));
  }
};

/// As above, for branches whose values are dropped.
template <class A>
struct TraversedAll {
  using ValueType = void;

  static void finish(Run& run, Traversed<std::deque<Outcome<A>>> traversed) {
    if (traversed.exhausted && traversed.outcomes.empty()) return run.put(Unit{});
    Errors errors;
    for (const auto& outcome : traversed.outcomes)
      if (outcome.hasError()) errors.append(outcome.error());
    run.stop(std::move(errors));
  }
};

template <class R, class F>
using ValueOfElement = typename ResultOf<F, std::ranges::range_reference_t<R>>::ValueType;

/// Yields the values of all branches, or stops with the errors of branches without a value.
template <class R, class F>
using TraverseValues =
    Joined<GatherTraverse<NeverFails, R, F, AllOutcomes>, TraversedValues<ValueOfElement<R, F>>>;
/// As above, but drops the values and keeps nothing of branches that have yielded them.
template <class R, class F>
using TraverseAll =
    Joined<GatherTraverse<NeverFails, R, F, LeftOutcomes>, TraversedAll<ValueOfElement<R, F>>>;

}  // namespace tapestry::detail
#pragma GCC visibility pop
