// Defines Join, the program that turns the outcomes of parallel branches into one.
#pragma once

#include <tuple>

#include "tapestry/continuation/parallel/detail/gather_tuple.hpp"

namespace tapestry::detail {

/// Yields all values, or stops the run with the errors of all branches, in order; as cancelled when there are
/// none.
template <class Judge, class... As>
class [[nodiscard("a program does nothing until it is run")]] Join
    : public ProgramOperations<Join<Judge, As...>> {
 public:
  using ValueType = std::tuple<Stored<As>...>;

  explicit Join(GatherTuple<Judge, As...> source) : source_(std::move(source)) {}

  void step(Run& run, Keeper keeper) const { source_.template stepThen<join>(run, std::move(keeper)); }

 private:
  static void join(Run& run, Gathered<std::tuple<Outcome<As>...>> gathered) {
    std::apply(
        [&run](auto&... outcome) {
          if ((outcome.hasValue() && ...)) return run.put(ValueType(std::move(outcome.get())...));
          Errors errors;
          (..., (outcome.hasError() ? errors.append(outcome.error()) : void()));
          run.stop(std::move(errors));
        },
        gathered.outcomes);
  }

  GatherTuple<Judge, As...> source_;
};

}  // namespace tapestry::detail
