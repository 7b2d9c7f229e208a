// Defines RunScope, the program that runs a Do in a scope of its own.
#pragma once

#include <utility>

#include "tapestry/continuation/extend/program.hpp"
#include "tapestry/continuation/unit_continuation_monad.hpp"
#include "tapestry/raii/resourcet/resource.hpp"
#include "tapestry/raii/tryt/try.hpp"

namespace tapestry::detail {

/// Acquires, releases, masked, and yields the value, to which errors of the release are added. The same as
/// ResourceT::run, in a single step; a request to stop is seen before the release, as at a flatMap. P is the
/// program that acquires, or a reference to one that lives as long as this.
template <class A, class P = UnitContinuation<Resource<UnitContinuationMonad, Try<A>>>>
class [[nodiscard("a program does nothing until it is run")]] RunScope
    : public ProgramOperations<RunScope<A, P>> {
  using Acquired = Resource<UnitContinuationMonad, Try<A>>;

 public:
  using ValueType = Try<A>;

  explicit RunScope(P acquire) noexcept : acquire_(std::forward<P>(acquire)) {}

  void step(Run& run, Keeper keeper) const {
    run.push<release>(std::move(keeper));
    acquire_.step(run, {});
  }

 private:
  struct Held final : Node {
    explicit Held(Try<A> result) noexcept : value(std::move(result)) {}
    void released(Run& run) {
      value.absorb(run.take<Errors>());
      run.put<Try<A>>(std::move(value));
    }
    Try<A> value;
  };

  static void release(Run& run) {
    auto acquired = run.take<Acquired>();
    if (run.stopRequested()) return cancelHolding(run, std::move(acquired));
    auto releasing = acquired.takeRelease();
    if (!releasing) return run.put<Try<A>>(std::move(acquired.value));
    run.push<&Held::released>(makeRef<Held>(std::move(acquired.value)));
    enterMask(run);
    run.next(std::move(*releasing).node());
  }

  P acquire_;
};

}  // namespace tapestry::detail
