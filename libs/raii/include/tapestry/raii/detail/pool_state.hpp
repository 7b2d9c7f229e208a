// Defines PoolState, the state that the copies of a Pool share.
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "tapestry/continuation/ensure.hpp"
#include "tapestry/raii/detail/do_join.hpp"
#include "tapestry/raii/detail/pool_gate.hpp"
#include "tapestry/raii/detail/registering.hpp"
#include "tapestry/raii/detail/stop_to_error.hpp"
#include "tapestry/raii/detail/unless_stopped.hpp"
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
      return now(self->lend(Ref<Instance>::adopt(static_cast<Instance*>(idle.detach()))));
    });
    return Do<Handle<R>>(UnitContinuation<Lent>(unlessStopped(std::move(take))));
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
        : value(std::move(made.value).takeBox()), remainder(std::move(made.release)) {}
    ValueBox<R> value;
    Release<UnitContinuationMonad> remainder;  ///< of the release, after the value has been destroyed
  };

  Lent lend(Ref<Instance> instance) {
    auto use = makeRef<ValueScope<R>>(std::addressof(*instance->value));
    auto giveBack = [self = Ref<PoolState>::share(this), instance = std::move(instance), use] {
      use->end();
      return self->check_ ? self->checked(instance) : self->kept(instance);
    };
    return {Try<Handle<R>>::success(Handle<R>(std::move(use))),
            UnitContinuation<Errors>(stopToErrors(suspend(std::move(giveBack))))};
  }

  UnitContinuation<Errors> kept(const Ref<Instance>& instance) {
    putIdle(instance);
    return now(Errors());
  }

  UnitContinuation<Errors> checked(const Ref<Instance>& instance) {
    const auto self = Ref<PoolState>::share(this);
    const auto check = Do<bool>::suspend([self, instance] { return self->check_(*instance->value); }).run();
    auto verdict = check.acquire().map([](auto ended) { return std::move(ended.value); });
    return onStop(stopToError<bool>(std::move(verdict)), ending(instance))
        .flatMap([self, instance](const typename Do<bool>::Acquired& ended) -> UnitContinuation<Errors> {
          if (ended.value.hasValue() && ended.value.get()) return self->kept(instance);
          return ending(instance).map([errors = ended.errors()](const Errors& more) {
            Errors all = errors;
            all.append(more);
            return all;
          });
        });
  }

  /// Destroys the value, and then runs the release that its acquire has left; if there is none, it first
  /// closes the value as `scoped` does.
  static UnitContinuation<Errors> ending(Ref<PooledInstance> ended) {
    return stopToErrors(suspend([ended = std::move(ended)]() -> UnitContinuation<Errors> {
      auto& instance = static_cast<Instance&>(*ended);
      if constexpr (closable<R>)
        if (!instance.remainder)
          return ensure(closing(*instance.value),
                        delay([ended] { static_cast<Instance&>(*ended).value.reset(); }));
      instance.value.reset();
      if (!instance.remainder) return now(Errors());
      return *std::exchange(instance.remainder, {});
    }));
  }

  const Do<R> factory_;
  const HealthCheck check_;
};

}  // namespace tapestry::detail
#pragma GCC visibility pop

#include "tapestry/raii/detail/make_instance.hpp"
