// Defines Do::shared, one acquired instance for all concurrent users, how it is opened and how it is closed.
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

  /// Without errors besides Cancelled, the opener stops, and the next user opens afresh.
  void fail(Run& run, const std::exception_ptr& failure) {
    instance_->gate.failed(*this, withoutCancelled(failure));
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
  /// awaits. The keeper, or else the caller, keeps this.
  void close(Run& run, Keeper keeper = {}) {
    std::exchange(value_, nullptr)->end();
    constexpr auto closed = [](SharedInstance& instance, Run&) { instance.gate.closed(); };
    auto release = std::exchange(release_, {});
    if (!release) {
      gate.closed();
      return run.put(Errors());
    }
    run.push<closed, closed>(this, std::move(keeper));
    enterMask(run);
    run.next(std::move(*release).node());
  }

  Gate gate;

 private:
  void step(Run& run, Keeper::Raw rawKeeper) const override {
    Keeper keeper(rawKeeper);
    auto& self = const_cast<SharedInstance&>(*this);
    if (!self.gate.leave()) return run.put(Errors());
    self.close(run, std::move(keeper));
  }

  const UnitContinuation<Acquired> acquire_;
  Ref<ScopedValue<A>> value_;
  Release<UnitContinuationMonad> release_;
};

template <class A>
class [[nodiscard("a program does nothing until it is run")]] SharedUse
    : public ProgramOperations<SharedUse<A>> {
  using Instance = SharedInstance<A>;
  using Opening = typename Instance::Opening;
  using Place = typename Instance::Gate::Place;

 public:
  using ValueType = typename Instance::Result;

  SharedUse(UnitContinuation<typename Instance::Acquired> acquire, Location location)
      : instance_(makeRef<Instance>(std::move(acquire))), location_(location) {}

  void step(Run& run, Keeper keeper) const {
    if (run.stopIfRequested()) return;
    run.keep(std::move(keeper));
    visit(run, false);
  }

 private:
  struct User final : Instance::Gate::User {
    User(const SharedUse& use, Ref<Opening> awaited, bool opener, bool isWithin) noexcept
        : Instance::Gate::User(use.instance_->gate, std::move(awaited), opener),
          program(use),
          within(isWithin) {}

    void goOn(Run& run) {
      const bool cancelled = this->leave();
      Opening* const opening = this->opening();
      if (!opening) return cancelled ? run.stop(Errors()) : program.visit(run, this->promised());
      const auto result = cancelled ? program.gate().depart(*opening, within) : opening->result();
      const bool openedByItself = this->opens && result == OpeningResult::cancelled;
      program.settle(run, *opening, result, cancelled || openedByItself);
    }

    /// The run's executor refused to continue the run.
    void refused(Run& run) {
      this->leave();
      auto& gate = program.gate();
      if (this->promised()) gate.decline();
      if (this->opening() && gate.depart(*this->opening(), within) == OpeningResult::opened)
        finalizeStop(run, program.instance_->wayOut());
    }

    const SharedUse& program;
    const bool within;
  };

  /// For a run that its executor has refused to continue.
  static void toError(Run& run) {
    if (run.stopErrors().empty() || run.stopRequested()) return;
    run.put(ValueType{Try<Handle<A>>::failure(run.takeStop().toException()), {}});
  }

  void visit(Run& run, bool promised) const {
    const auto isWithin = [&run](const Opening& opening) { return opening.contains(*run.environment()); };
    // if another user opens meanwhile, this opening is dropped
    auto opening = promised || gate().looksIdle() ? makeRef<Opening>(instance_, run) : Ref<Opening>();
    bool within = false;
    Place place = gate().enter(opening, promised, within, isWithin);
    if (place == Place::vacant) {
      opening = makeRef<Opening>(instance_, run);
      place = gate().enter(opening, promised, within, isWithin);
    }
    if (place == Place::admitted) return run.put(instance_->use());
    if (place == Place::opener) return open(run, std::move(opening));
    park(run, std::move(opening), false, within);
  }

  void open(Run& run, Ref<Opening> opening) const {
    const auto leave = [&] { return gate().depart(*opening, false) == OpeningResult::pending; };
    if (opening->start(run, leave)) return run.stop(Errors());
    const auto result = opening->result();
    if (result == OpeningResult::pending) return park(run, std::move(opening), true, false);
    settle(run, *opening, result, result == OpeningResult::cancelled);
  }

  /// Continues the run after the opening, or stops it.
  void settle(Run& run, const Opening& opening, OpeningResult result, bool stops) const {
    if (stops) {
      run.stop(Errors());
      if (result == OpeningResult::opened) finalizeStop(run, instance_->wayOut());
    } else if (result == OpeningResult::opened) {
      run.put(instance_->use());
    } else if (result == OpeningResult::failed) {
      run.put(ValueType{Try<Handle<A>>::failure(opening.failure()), {}});
    } else {
      visit(run, false);
    }
  }

  void park(Run& run, Ref<Opening> opening, bool isOpener, bool within) const {
    run.push<nullptr, toError>();
    run.park(
        run.push<&User::goOn, &User::refused>(makeRef<User>(*this, std::move(opening), isOpener, within)),
        {"a shared value", location_});
  }

  typename Instance::Gate& gate() const noexcept { return instance_->gate; }

  Ref<Instance> instance_;
  Location location_;
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
