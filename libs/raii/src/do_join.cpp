#include "tapestry/raii/detail/do_join.hpp"

namespace tapestry::detail {

namespace {

/// Puts the errors of all releases, in order.
struct AllErrors {
  using ValueType = Errors;

  static void finish(Run& run, const std::vector<Outcome<Errors>>& outcomes, std::size_t) {
    Errors errors;
    for (const auto& outcome : outcomes) {
      if (outcome.hasValue()) errors.append(outcome.get());
      if (outcome.hasError()) errors.append(outcome.error());
    }
    run.put(std::move(errors));
  }
};

}  // namespace

Release<UnitContinuationMonad> releaseInParallel(std::vector<UnitContinuation<Errors>> releases) {
  if (releases.empty()) return {};
  if (releases.size() == 1) return std::move(releases.front());
  using Branches = GatherRange<NeverFails, Errors>;
  return UnitContinuation<Errors>(
      stopToErrors(Joined<Branches, AllErrors>(Branches(std::move(releases), Location()))));
}

}  // namespace tapestry::detail
