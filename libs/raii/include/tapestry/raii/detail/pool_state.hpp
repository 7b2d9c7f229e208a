// Defines PoolState, the state that the copies of a Pool share.
// With MakeInstance, by which a user gets a fresh instance, and InstanceOpening, the run that makes it.
#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "tapestry/raii/detail/do_join.hpp"
#include "tapestry/raii/detail/pool_gate.hpp"
#include "tapestry/raii/detail/registering.hpp"
#include "tapestry/raii/scoped.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

template <class R>
class InstanceOpening;
template <class R>
class MakeInstance;

template <class R>
class PoolState final : public PoolGate {
 public:
  using HealthCheck = std::function<Do<bool>(R&)>;

  /// A null health check finds every instance healthy.
  PoolState(std::size_t size, Do<R> factory, HealthCheck check)
      : PoolGate(size), factory_(std::move(factory)), check_(std::move(check)) {}

  /// For the holder of a place: an instance, idle or fresh, until the end of the scope.
  Do<Handle<R>> instance(const Ref<PoolPlace>& place, Location location) {
    auto take = suspend([self = Ref<PoolState>::share(this), place, location]() -> UnitContinuation<Lent> {
      auto idle = self->takeIdle();
      if (!idle) return stopToError<Handle<R>>(MakeInstance<R>(self, place, location));
      return tapestry::now(self->lend(Ref<Instance>::adopt(static_cast<Instance*>(idle.detach()))));
    });
    return Do<Handle<R>>(UnlessStopped(std::move(take)));
  }

  /// For the holder of all places: releases the idle instances at the end of the scope.
  Do<void> emptied() {
    using Acquired = typename Do<void>::Acquired;
    return Do<void>(delay([self = Ref<PoolState>::share(this)] {
      std::vector<UnitContinuation<Errors>> releases;
      while (auto idle = self->takeIdle()) releases.push_back(ending(std::move(idle)));
      self->closed();
      return Acquired{Try<void>::success(Unit{}), releaseInParallel(std::move(releases))};
    }));
  }

 private:
  friend InstanceOpening<R>;
  friend MakeInstance<R>;
  using Made = typename Do<R>::Acquired;
  using Lent = typename Do<Handle<R>>::Acquired;

  struct Instance final : PooledInstance {
    explicit Instance(Made made) noexcept
        : value(makeRef<ScopedValue<R>>(std::move(made.value).takeBox())), remainder(made.takeRelease()) {}
    const Ref<ScopedValue<R>> value;
    Release<UnitContinuationMonad> remainder;  ///< of the release, after the value has been destroyed
  };

  Lent lend(Ref<Instance> instance) {
    auto use = makeRef<ValueScope<R>>(instance->value->value());
    auto giveBack = [self = Ref<PoolState>::share(this), instance = std::move(instance), use] {
      use->end();
      return self->check_ ? self->checked(instance) : self->kept(instance);
    };
    return {Try<Handle<R>>::success(Handle<R>(std::move(use))),
            UnitContinuation<Errors>(stopToErrors<ReleaseCancelled>(suspend(std::move(giveBack))))};
  }

  UnitContinuation<Errors> kept(const Ref<Instance>& instance) {
    putIdle(instance);
    return now(Errors());
  }

  UnitContinuation<Errors> checked(const Ref<Instance>& instance) {
    const auto self = Ref<PoolState>::share(this);
    const auto check =
        Do<bool>::suspend([self, instance] { return self->check_(*instance->value->value()); }).run();
    auto verdict = check.acquire().map([](auto ended) { return std::move(ended.value); });
    // only a check that cancels itself is stopped here
    const auto cancelled = ending(instance).map([](const Errors& errors) {
      Errors all(std::make_exception_ptr(ReleaseCancelled()));
      all.append(errors);
      return all;
    });
    return tapestry::onStop(stopToError<bool>(std::move(verdict)), cancelled)
        .flatMap([self, instance](const typename Do<bool>::Acquired& ended) -> UnitContinuation<Errors> {
          if (ended.value.hasValue() && ended.value.get()) return self->kept(instance);
          return ending(instance).map(after(errorsOfRelease(ended.value.error())));
        });
  }

  /// Destroys the value, and then runs the release that its acquire has left; if there is none, it first
  /// closes the value as `scoped` does.
  static UnitContinuation<Errors> ending(Ref<PooledInstance> ended) {
    return stopToErrors<ReleaseCancelled>(suspend([ended = std::move(ended)]() -> UnitContinuation<Errors> {
      auto& instance = static_cast<Instance&>(*ended);
      if (!instance.remainder) return endOf<R>(instance.value, CloseValue());
      instance.value->end();
      return *std::exchange(instance.remainder, {});
    }));
  }

  const Do<R> factory_;
  const HealthCheck check_;
};

template <class R>
class InstanceOpening final : public PoolOpening {
  using State = PoolState<R>;
  using Made = typename Do<R>::Acquired;

 public:
  InstanceOpening(Ref<State> state, Ref<PoolPlace> place, const Run& user) noexcept
      : PoolOpening(state, std::move(place), user), state_(std::move(state)) {}

  /// Returns true if the user has left.
  bool start(Run& user) {
    return startAndLeave(user, frameOf<&InstanceOpening::made, &InstanceOpening::stopped>(this),
                         *state_->factory_.acquire().node(), [this] { return leave(); });
  }

  /// For the user, for which this has ended: takes the result; none if the opening was cancelled.
  std::optional<Made> take() noexcept { return std::exchange(made_, std::nullopt); }

  /// Lends the made instance to the user, or fails with its error.
  typename Do<Handle<R>>::Acquired lend(Made made) {
    if (made.value.hasValue()) return state_->lend(makeRef<typename State::Instance>(std::move(made)));
    return {Try<Handle<R>>::failure(made.value.error()), std::move(made.release)};
  }

  /// For a user that is stopping: makes the instance idle, or releases the resources of a failed opening.
  void drop(Run& user) noexcept {
    auto made = take();
    if (!made) return;
    if (made->value.hasValue())
      state_->putIdle(makeRef<typename State::Instance>(*std::move(made)));
    else if (made->release)
      finalizeStop(user, std::move(*made->release).node());
  }

 private:
  void made(Run& run) { end(run, run.take<Made>()); }
  void stopped(Run& run) {
    const std::exception_ptr error = run.takeStop().toException();
    std::optional<Made> none;
    if (error) none.emplace(Made{Try<R>::failure(error), {}});
    end(run, std::move(none));
  }

  void end(Run& run, std::optional<Made> result) noexcept {
    if (result) made_.emplace(*std::move(result));
    if (endForUser()) return run.put(Unit{});
    constexpr auto dropped = [](InstanceOpening& opening, Run& r) {
      r.takeStop();
      opening.givePlace(r);
    };
    run.push<nullptr, dropped>(this);
    run.stop(Errors());
    drop(run);
  }

  const Ref<State> state_;
  std::optional<Made> made_;
};

/// Yields a fresh instance, lent to the run that holds the place.
template <class R>
class [[nodiscard("a program does nothing until it is run")]] MakeInstance
    : public ProgramOperations<MakeInstance<R>> {
  using State = PoolState<R>;
  using Opening = InstanceOpening<R>;

 public:
  using ValueType = typename Do<Handle<R>>::Acquired;

  MakeInstance(Ref<State> state, Ref<PoolPlace> place, Location location) noexcept
      : state_(std::move(state)), place_(std::move(place)), location_(location) {}

  void step(Run& run, Keeper keeper) const {
    run.keep(std::move(keeper));
    const auto opening = makeRef<Opening>(state_, place_, run);
    if (opening->start(run)) return run.stop(Errors());
    if (opening->hasEnded()) return settle(run, *opening, false);
    run.keep(opening);
    run.park(run.push<goOn, refused>(makeRef<OpenWaiter<Opening>>(*opening)),
             {"an instance of a pool", location_});
  }

 private:
  static void goOn(OpenWaiter<Opening>& user, Run& run) {
    const bool cancelled = user.leave();
    if (cancelled && user.state().leave()) return run.stop(Errors());
    settle(run, user.state(), cancelled);
  }

  /// The run's executor refused to continue the run.
  static void refused(OpenWaiter<Opening>& user, Run& run) {
    user.leave();
    if (!user.state().leave()) user.state().drop(run);
  }

  static void settle(Run& run, Opening& opening, bool cancelled) {
    if (cancelled) {
      run.stop(Errors());
      return opening.drop(run);
    }
    auto made = opening.take();
    if (!made) return run.stop(Errors());
    run.put(opening.lend(*std::move(made)));
  }

  Ref<State> state_;
  Ref<PoolPlace> place_;
  Location location_;
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
