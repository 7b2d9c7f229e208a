#include "tapestry/raii/detail/do_join.hpp"

#include "tapestry/raii/detail/stop_to_error.hpp"

namespace tapestry::detail {

Release<UnitContinuationMonad> releaseInParallel(std::vector<UnitContinuation<Errors>> releases) {
  if (releases.empty()) return {};
  if (releases.size() == 1) return std::move(releases.front());
  return UnitContinuation<Errors>(
      stopToErrors(GatherRange<NeverFails, Errors>(std::move(releases), Location())
                       .map([](const Gathered<std::vector<Outcome<Errors>>>& gathered) {
                         Errors errors;
                         for (const auto& outcome : gathered.outcomes) {
                           if (outcome.hasValue()) errors.append(outcome.get());
                           if (outcome.hasError()) errors.append(outcome.error());
                         }
                         return errors;
                       })));
}

}  // namespace tapestry::detail
