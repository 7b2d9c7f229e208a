// Defines TraverseValues and TraverseAll, traversals of programs that cannot fail.
#pragma once

#include <type_traits>
#include <utility>
#include <vector>

#include "tapestry/continuation/parallel/detail/gather_traverse.hpp"
#include "tapestry/continuation/parallel/detail/gather_tuple.hpp"

namespace tapestry::detail {

/// Yields the values of all, or stops with the errors of those that have none.
template <class R, class F>
class [[nodiscard("a program does nothing until it is run")]] TraverseValues
    : public ProgramOperations<TraverseValues<R, F>> {
  using Gather = GatherTraverse<NeverFails, R, F, AllOutcomes>;
  using A = Stored<typename ResultOf<F, std::ranges::range_reference_t<R>>::ValueType>;

 public:
  using ValueType = std::vector<A>;

  TraverseValues(const char* operation, R range, std::int64_t limit, F function, Location location)
      : gather_(operation, std::move(range), limit, std::move(function), location) {}

  void step(Run& run, Keeper keeper) const {
    run.push<finish>(std::move(keeper));
    gather_.step(run, {});
  }

 private:
  static void finish(Run& run) {
    auto [outcomes, exhausted] = run.take<typename Gather::ValueType>();
    Errors errors;
    std::vector<A> values;
    values.reserve(outcomes.size());
    for (auto& outcome : outcomes) {
      if (outcome.hasError()) errors.append(outcome.error());
      if (outcome.hasValue()) values.push_back(std::move(outcome.get()));
    }
    if (!exhausted || values.size() != outcomes.size()) return run.stop(std::move(errors));
    run.put<ValueType>(std::move(values));
  }

  Gather gather_;
};

/// As above, but drops the values, and keeps nothing of branches that have one.
template <class R, class F>
class [[nodiscard("a program does nothing until it is run")]] TraverseAll
    : public ProgramOperations<TraverseAll<R, F>> {
  using Gather = GatherTraverse<NeverFails, R, F, LeftOutcomes>;

 public:
  using ValueType = void;

  TraverseAll(const char* operation, R range, std::int64_t limit, F function, Location location)
      : gather_(operation, std::move(range), limit, std::move(function), location) {}

  void step(Run& run, Keeper keeper) const {
    run.push<finish>(std::move(keeper));
    gather_.step(run, {});
  }

 private:
  static void finish(Run& run) {
    const auto [outcomes, exhausted] = run.take<typename Gather::ValueType>();
    if (exhausted && outcomes.empty()) return run.put(Unit{});
    Errors errors;
    for (const auto& outcome : outcomes)
      if (outcome.hasError()) errors.append(outcome.error());
    run.stop(std::move(errors));
  }

  Gather gather_;
};

}  // namespace tapestry::detail
