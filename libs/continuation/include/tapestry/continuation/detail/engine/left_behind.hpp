// Defines LeftBehind, the errors and finalizers of branches that are not joined.
#pragma once

#include <concepts>
#include <utility>
#include <vector>

#include "tapestry/continuation/detail/engine/finalize.hpp"
#include "tapestry/continuation/now.hpp"
#include "tapestry/continuation/outcome.hpp"
#include "tapestry/continuation/unit_continuation.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// The errors of the branches, and the finalizers of values that must not be dropped. Used if the parent's
/// executor refuses the parent when all its branches have ended.
class LeftBehind {
 public:
  template <class A>
  void add(Outcome<A>& outcome) {
    if (outcome.hasError()) errors_.append(outcome.error());
    if constexpr (Abandonable<Stored<A>>) {
      if (!outcome.hasValue()) return;
      errors_.append(outcome.get().errors());
      finalizers_.push_back(outcome.get().abandon());
    } else if constexpr (std::same_as<A, Errors>) {
      if (outcome.hasValue()) errors_.append(outcome.get());
    }
  }

  /// Runs the finalizers, the last first, and continues stopping with all errors.
  void finalizeIn(Run& run) {
    Errors errors = run.takeStop();
    errors.append(errors_);
    run.stop(std::move(errors));
    if (finalizers_.empty()) return;
    UnitContinuation<Errors> all = std::move(finalizers_.back());
    for (auto next = finalizers_.rbegin() + 1; next != finalizers_.rend(); ++next)
      all = std::move(all).flatMap([following = std::move(*next)](const Errors& before) {
        return following.map([before](const Errors& more) {
          Errors both = before;
          both.append(more);
          return both;
        });
      });
    finalizeStop(run, std::move(all).node());
  }

 private:
  Errors errors_;
  std::vector<UnitContinuation<Errors>> finalizers_;
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
