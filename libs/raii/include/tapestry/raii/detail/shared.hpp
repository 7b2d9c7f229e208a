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

/// The gate, the program that opens the instance, and, while open, the instance and its release. As a program
/// it is the way out of a user that was admitted, and yields the errors of the release.
template <class A>
class SharedInstance final : public ProgramNode {
 public:
  using Acquired = typename Do<A>::Acquired;
  using Result = typename Do<Handle<A>>::Acquired;

  explicit SharedInstance(UnitContinuation<Acquired> acquire) : acquire_(std::move(acquire)) {}

  const UnitContinuation<Acquired>& acquire() const noexcept { return acquire_; }

  /// For the opener, when the acquire has yielded a value; gives its own share.
  Result open(Acquired acquired) {
    value_ = makeRef<ScopedValue<A>>(std::move(acquired.value).takeBox());
    value_->retainUnshared();
    auto own = Ref<ScopedValue<A>>::adopt(value_.get());
    release_ = std::move(acquired.release);
    gate.opened();
    return share(std::move(own));
  }

  /// One user's share: the value and its way out. Precondition: the user was admitted.
  Result use() { return share(value_); }
  Ref<const ProgramNode> wayOut() noexcept { return Ref<SharedInstance>::share(this); }

  SharedGate gate;

 private:
  void step(Run& run, bool owned) const override {
    run.keep(owned ? this : nullptr);
    const_cast<SharedInstance*>(this)->leave(run);
  }

  Result share(Ref<ScopedValue<A>> value) {
    return {Try<Handle<A>>::success(Handle<A>(std::move(value))), UnitContinuation<Errors>(wayOut())};
  }

  void leave(Run& run) {
    if (!gate.leave()) return run.put(Errors());
    std::exchange(value_, nullptr)->end();
    auto release = std::exchange(release_, {});
    if (!release) {
      gate.closed();
      return run.put(Errors());
    }
    constexpr auto close = [](const void* self, Run&) {
      const_cast<SharedInstance*>(static_cast<const SharedInstance*>(self))->gate.closed();
    };
    run.push({this, close, close, nullptr});
    run.next(std::move(*release).node().detach(), true);
  }

  const UnitContinuation<Acquired> acquire_;
  Ref<ScopedValue<A>> value_;
  Release<UnitContinuationMonad> release_;
};

template <class A>
class [[nodiscard("a program does nothing until it is run")]] SharedUse
    : public ProgramOperations<SharedUse<A>> {
  using Instance = SharedInstance<A>;
  using Acquired = typename Instance::Acquired;

 public:
  using ValueType = typename Instance::Result;

  SharedUse(UnitContinuation<Acquired> acquire, Location location)
      : instance_(makeRef<Instance>(std::move(acquire))), location_(location) {}

  void step(Run& run, const Node* owned) const {
    if (run.stopIfRequested()) {
      if (owned) owned->release();
      return;
    }
    const SharedPlace place = instance_->gate.tryEnter();
    if (place == SharedPlace::opener) return open(*instance_, run, owned);
    if (place == SharedPlace::admitted) {
      run.keep(owned);
      return run.put(instance_->use());
    }
    run.push({this, nullptr, toError, owned});
    auto* user = new User(run, *instance_);
    run.push({user, goOn, refused, user});
    run.park(*user, {"a shared value", location_});
  }

 private:
  struct User final : SharedUser {
    User(Run& run, Instance& shared) noexcept : SharedUser(run, shared.gate), instance(shared) {}
    Instance& instance;
  };

  static Instance& instanceOf(const void* self) noexcept {
    return *const_cast<Instance*>(static_cast<const Instance*>(self));
  }
  static User& userOf(const void* self) noexcept {
    return *const_cast<User*>(static_cast<const User*>(self));
  }

  /// Of a run whose executor has refused to go on with it.
  static void toError(const void*, Run& run) {
    if (run.stopErrors().empty() || run.stopRequested()) return;
    run.put(ValueType{Try<Handle<A>>::failure(run.takeStop().toException()), {}});
  }

  /// `owned` keeps the instance, where nothing else does.
  static void open(Instance& instance, Run& run, const Node* owned) {
    run.push({&instance, opened, failedToOpen, owned});
    enterMask(run);
    instance.acquire().step(run, nullptr);
  }

  static void goOn(const void* self, Run& run) {
    User& user = userOf(self);
    if (user.place == SharedPlace::failed) return run.put(ValueType{Try<Handle<A>>::failure(user.error), {}});
    if (user.place == SharedPlace::opener && run.stopRequested()) {
      user.instance.gate.closed();
      return run.stop(Errors());
    }
    if (user.place == SharedPlace::admitted) return run.put(user.instance.use());
    open(user.instance, run, nullptr);
  }

  /// The run was stopped while it waited, or its executor refused to go on with it: then what the gate gave
  /// to the user goes to the next.
  static void refused(const void* self, Run& run) {
    User& user = userOf(self);
    if (user.place == SharedPlace::opener) user.instance.gate.closed();
    if (user.place == SharedPlace::admitted) finalizeStop(run, user.instance.wayOut());
  }

  static void opened(const void* self, Run& run) {
    Instance& instance = instanceOf(self);
    auto acquired = run.take<Acquired>();
    if (acquired.value.hasValue()) return run.put(instance.open(std::move(acquired)));
    if (!acquired.release) return fail(instance, run, acquired.value.error());
    // what a failed acquire left is released before anybody tries again
    UnitContinuation<std::exception_ptr> releasing =
        mask(*std::move(acquired.release)).map([error = acquired.value.error()](const Errors& errors) {
          auto all = Try<void>::failure(error);
          all.absorb(errors);
          return all.error();
        });
    constexpr auto released = [](const void* object, Run& r) {
      fail(instanceOf(object), r, r.take<std::exception_ptr>());
    };
    run.push({self, released, failedToOpen, nullptr});
    run.next(std::move(releasing).node().detach(), true);
  }

  /// A stop without an error concerns the opener alone.
  static void failedToOpen(const void* self, Run& run) {
    SharedGate& gate = instanceOf(self).gate;
    if (run.stopErrors().empty()) return gate.closed();
    gate.failed(run.stopErrors().toException());
    toError(self, run);
  }

  static void fail(Instance& instance, Run& run, const std::exception_ptr& error) {
    instance.gate.failed(error);
    run.put(ValueType{Try<Handle<A>>::failure(error), {}});
  }

  Ref<Instance> instance_;
  Location location_;
};

}  // namespace tapestry::detail
