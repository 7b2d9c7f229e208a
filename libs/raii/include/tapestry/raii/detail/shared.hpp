// Defines Do::shared, one acquired instance for all concurrent users.
#pragma once

#include <cstddef>
#include <utility>

#include "tapestry/continuation/ensure.hpp"
#include "tapestry/continuation/suspend.hpp"
#include "tapestry/raii/detail/shared_gate.hpp"
#include "tapestry/raii/do.hpp"
#include "tapestry/raii/handle.hpp"

namespace tapestry::detail {

/// The gate, the program that opens the instance, and, while open, the instance and its release.
template <class A>
class SharedInstance final : public SharedGate {
 public:
  using Acquired = typename Do<A>::Acquired;
  using Result = typename Do<Handle<A>>::Acquired;

  explicit SharedInstance(UnitContinuation<Acquired> acquire) : acquire_(std::move(acquire)) {}

  const UnitContinuation<Acquired>& acquire() const noexcept { return acquire_; }

  /// For the opener, when the acquire has yielded a value.
  void open(Acquired acquired) {
    value_ = makeRef<ScopedValue<A>>(std::move(acquired.value).takeBox());
    release_ = std::move(acquired.release);
    opened();
  }

  /// One user's share: the value and its way out. Precondition: the user was admitted.
  Result use() const {
    return {Try<Handle<A>>::success(Handle<A>(value_)),
            UnitContinuation<Errors>(suspend([self = Ref<SharedInstance>::share(const_cast<SharedInstance*>(
                                                  this))] { return self->leaveAndRelease(); }))};
  }

 private:
  UnitContinuation<Errors> leaveAndRelease() {
    if (!leave()) return now(Errors());
    std::exchange(value_, nullptr)->end();
    auto release = std::exchange(release_, {});
    if (!release) {
      closed();
      return now(Errors());
    }
    return ensure(*std::move(release), delay([self = Ref<SharedInstance>::share(this)] { self->closed(); }));
  }

  const UnitContinuation<Acquired> acquire_;
  Ref<ScopedValue<A>> value_;
  Release<UnitContinuationMonad> release_;
};

template <class A>
class [[nodiscard]] SharedUse : public ProgramOperations<SharedUse<A>> {
  using Instance = SharedInstance<A>;
  using Acquired = typename Instance::Acquired;

 public:
  using ValueType = typename Instance::Result;

  explicit SharedUse(UnitContinuation<Acquired> acquire) : instance_(makeRef<Instance>(std::move(acquire))) {}

  void step(Run& run, const Node* owned) const {
    run.keep(owned);
    if (run.stopRequested()) return run.stop(Errors());
    auto* user = new User(run, instance_);
    run.push({user, enter, refused, user});
    run.park(*user, {"a shared value"});
  }

 private:
  struct User final : SharedUser {
    User(Run& run, Ref<Instance> shared) noexcept : SharedUser(run, *shared), instance(std::move(shared)) {}
    const Ref<Instance> instance;
  };

  static void enter(const void* self, Run& run) {
    auto* user = const_cast<User*>(static_cast<const User*>(self));
    if (user->place == SharedPlace::failed)
      return run.put(ValueType{Try<Handle<A>>::failure(user->error), {}});
    if (user->place == SharedPlace::admitted) return run.put(user->instance->use());
    if (run.stopRequested()) {
      user->instance->closed();
      return run.stop(Errors());
    }
    run.keep(Ref(user->instance).detach());
    run.push({user->instance.get(), opened, failedToOpen, nullptr});
    enterMask(run);
    user->instance->acquire().step(run, nullptr);
  }

  /// The run was stopped while it waited, or its executor refused to go on with it: then what the gate gave
  /// to the user goes to the next.
  static void refused(const void* self, Run& run) {
    auto* user = const_cast<User*>(static_cast<const User*>(self));
    if (user->place == SharedPlace::opener) user->instance->closed();
    if (user->place == SharedPlace::admitted) finalizeStop(run, user->instance->use().release->node());
  }

  static void opened(const void* self, Run& run) {
    auto* instance = const_cast<Instance*>(static_cast<const Instance*>(self));
    auto acquired = run.take<Acquired>();
    if (acquired.value.hasValue()) {
      instance->open(std::move(acquired));
      return run.put(instance->use());
    }
    if (!acquired.release) return fail(*instance, run, acquired.value.error());
    // what a failed acquire left is released before anybody tries again
    UnitContinuation<std::exception_ptr> releasing =
        mask(*std::move(acquired.release)).map([error = acquired.value.error()](const Errors& errors) {
          auto all = Try<void>::failure(error);
          all.absorb(errors);
          return all.error();
        });
    constexpr auto released = [](const void* object, Run& r) {
      fail(*const_cast<Instance*>(static_cast<const Instance*>(object)), r, r.take<std::exception_ptr>());
    };
    run.push({self, released, failedToOpen, nullptr});
    run.next(std::move(releasing).node().detach(), true);
  }

  /// A stop without an error concerns the opener alone.
  static void failedToOpen(const void* self, Run& run) {
    auto* instance = const_cast<Instance*>(static_cast<const Instance*>(self));
    if (run.stopErrors().empty()) return instance->closed();
    instance->failed(run.stopErrors().toException());
  }

  static void fail(Instance& instance, Run& run, const std::exception_ptr& error) {
    instance.failed(error);
    run.put(ValueType{Try<Handle<A>>::failure(error), {}});
  }

  Ref<Instance> instance_;
};

}  // namespace tapestry::detail
