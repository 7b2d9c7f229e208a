// Defines SharedInstance, the value that users of Do::shared have in common, and how it is opened and closed.
#pragma once

#include <utility>

#include "tapestry/continuation/extend/detached_run.hpp"
#include "tapestry/continuation/extend/program.hpp"
#include "tapestry/continuation/extend/wait_queue.hpp"
#include "tapestry/raii/detail/shared_gate.hpp"
#include "tapestry/raii/do.hpp"
#include "tapestry/raii/handle.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

template <class A>
class SharedInstance;

/// One opening of an instance: a separate run, on behalf of all users that wait for it.
template <class A>
class OpeningRun final : public DetachedRun, public SharedOpening {
  using Instance = SharedInstance<A>;
  using Acquired = typename Do<A>::Acquired;

 public:
  OpeningRun(Ref<Instance> instance, const Run& opener) noexcept
      : DetachedRun(opener), instance_(std::move(instance)) {}

  /// Returns true if the opener has left.
  template <class F>
  bool start(Run& opener, F leave) {
    return startAndLeave(opener, frameOf<&OpeningRun::acquired, &OpeningRun::stopped>(this),
                         *instance_->acquire().node(), leave);
  }

 private:
  void acquired(Run& run) {
    auto ended = run.take<Acquired>();
    if (ended.value.hasValue()) {
      instance_->hold(std::move(ended));
      if (instance_->gate.opened(*this)) return run.put(Unit{});
      run.push<discardErrors>();
      return instance_->close(run);
    }
    if (!ended.release) return fail(run, ended.value.error());
    // resources of a failed acquire are released before another user tries again
    run.stop(Errors(ended.value.error()));
    run.push<nullptr, &OpeningRun::stopped>(this);
    finalizeStop(run, std::move(*ended.release).node());
  }

  void stopped(Run& run) { fail(run, run.takeStop().toException()); }

  /// No user waits for the instance, nor for the errors of its release.
  static void discardErrors(Run& run) {
    run.take<Errors>();
    run.put(Unit{});
  }

  void fail(Run& run, std::exception_ptr failure) noexcept {
    instance_->gate.failed(*this, std::move(failure));
    run.put(Unit{});
  }

  const Ref<Instance> instance_;
};

/// The gate, the program that opens the instance, and, while open, the instance and its release. As a
/// program, this is the release for a user that was admitted, and yields the errors of the instance's
/// release.
template <class A>
class SharedInstance final : public ProgramNode {
 public:
  using Opening = OpeningRun<A>;
  using Gate = BasicSharedGate<Waiter, Opening>;
  using Acquired = typename Do<A>::Acquired;
  using Result = typename Do<Handle<A>>::Acquired;

  explicit SharedInstance(UnitContinuation<Acquired> acquire) : acquire_(std::move(acquire)) {}

  const UnitContinuation<Acquired>& acquire() const noexcept { return acquire_; }

  /// For the opening, before it calls opened().
  void hold(Acquired acquired) {
    value_ = makeRef<ScopedValue<A>>(std::move(acquired.value).takeBox());
    release_ = std::move(acquired.release);
  }

  /// The result for one user: the handle and the release. Precondition: the user was admitted.
  Result use() { return {Try<Handle<A>>::success(Handle<A>(value_)), UnitContinuation<Errors>(wayOut())}; }
  Ref<const ProgramNode> wayOut() noexcept { return Ref<SharedInstance>::share(this); }

  /// Releases the value, and yields the Errors of that. For the last user, or for an opening that no user
  /// awaits.
  void close(Run& run) {
    std::exchange(value_, nullptr)->end();
    constexpr auto closed = [](SharedInstance& instance, Run&) { instance.gate.closed(); };
    auto release = std::exchange(release_, {});
    if (!release) {
      gate.closed();
      return run.put(Errors());
    }
    run.push<closed, closed>(this);
    enterMask(run);
    run.next(std::move(*release).node());
  }

  Gate gate;

 private:
  void step(Run& run, Keeper::Raw keeper) const override {
    run.keep(keeper);
    auto& self = const_cast<SharedInstance&>(*this);
    if (!self.gate.leave()) return run.put(Errors());
    self.close(run);
  }

  const UnitContinuation<Acquired> acquire_;
  Ref<ScopedValue<A>> value_;
  Release<UnitContinuationMonad> release_;
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
