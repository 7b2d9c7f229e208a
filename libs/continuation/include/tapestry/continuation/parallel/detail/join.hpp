// Defines ValuesOrErrors, which joins the outcomes of parallel branches into one outcome.
#pragma once

#include <tuple>

#include "tapestry/continuation/parallel/detail/gather_branches.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// Puts all values, or stops the run with the errors of all branches, in order, or as cancelled if there are
/// no errors.
template <class... As>
struct ValuesOrErrors {
  using ValueType = std::tuple<Stored<As>...>;

  static void finish(Run& run, Gathered<std::tuple<Outcome<As>...>> gathered) {
    std::apply(
        [&](auto&... outcome) {
          if ((... && outcome.hasValue())) return run.put(ValueType(std::move(outcome.get())...));
          run.stop(errorsOf(gathered.outcomes));
        },
        gathered.outcomes);
  }
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
