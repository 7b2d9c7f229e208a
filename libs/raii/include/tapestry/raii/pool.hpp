// Defines Pool, a number of instances that runs use in turn, and PoolClosed, the error of later uses.
#pragma once

#include <concepts>
#include <cstddef>
#include <exception>
#include <utility>

#include "tapestry/raii/detail/pool_state.hpp"
#include "tapestry/raii/detail/released_unless.hpp"
#include "tapestry/raii/direct_style.hpp"
#include "tapestry/raii/do.hpp"
#include "tapestry/raii/scoped.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

/// The function returns a Do, a program, a Coroutine, or another value. The resources of its result, and then
/// those of the value, are released before this yields.
template <class A, class F>
auto inScope(const Do<A>& acquire, F function) {
  using Result = ResultOf<F, const A&>;
  if constexpr (isInstance<Coroutine, Result>)
    return acquire
        .flatMap([function = std::move(function)](const A& value) {
          return tapestry::direct<Do>([function, value] { return function(value); });
        })
        .run();
  else if constexpr (madeOf<F, const A&> == Made::plain)
    return acquire.map(std::move(function)).run();
  else
    return acquire.flatMap(std::move(function)).run();
}

}  // namespace detail

/// The error of a use that begins after the pool's shutdown has begun.
struct PoolClosed final : std::exception {
  const char* what() const noexcept override;
};

/// At most `size` instances at a time, each used by one run at a time. An instance is made when a run needs
/// it and no instance is idle. Runs are served first come, first served, with the instance that has been idle
/// for longest, so that all are used alike. Copies share the pool. Usable from several threads at once, and
/// by runs on any executors.
template <class R>
class Pool {
 public:
  /// A pool for the scope. Each value that `factory` acquires is an instance. It is released when it is found
  /// unhealthy, or else by the shutdown at the end of the scope. If `factory` registers no release, the
  /// instance is closed by `instance.close()`, if it has that, as with `scoped`. Throws std::invalid_argument
  /// for a size of 0.
  [[nodiscard("a program does nothing until it is run")]] static Do<Pool> scoped(std::size_t size,
                                                                                 const Do<R>& factory) {
    return make(size, factory, nullptr);
  }
  /// As above, with a check of every instance that is given back, bool(R&) or Do<bool>(R&): true if it may be
  /// used again. Otherwise, or if the check fails, the instance is released before another run gets its
  /// place. Errors of the check and of that release are errors of the scope that has used the instance; a
  /// check that throws Cancelled, or cancels itself, fails with ReleaseCancelled.
  template <class F>
    requires std::is_invocable_r_v<Do<bool>, const F&, R&> || std::is_invocable_r_v<bool, const F&, R&>
  [[nodiscard("a program does nothing until it is run")]] static Do<Pool> scoped(std::size_t size,
                                                                                 const Do<R>& factory,
                                                                                 F isHealthy) {
    if constexpr (std::is_invocable_r_v<Do<bool>, const F&, R&>)
      return make(size, factory, std::move(isHealthy));
    else
      return make(size, factory, [isHealthy = std::move(isHealthy)](R& instance) {
        return Do<bool>::now(isHealthy(instance));
      });
  }
  static void scoped(...) = delete;  // expected a size, a Do<R>, at most a check bool(R&) or Do<bool>(R&)

  /// Yields an instance until the scope ends; the handle cannot be used afterwards. Waits while all instances
  /// are in use, and while a separate run makes a fresh one; a request to stop ends either wait at once,
  /// unless masked. If the user leaves while its instance is being made, the instance becomes idle in the
  /// pool; if no run waits for a place either, the making is asked to stop, and its errors are dropped. Fails
  /// with PoolClosed, or with the error of the factory, which leaves the place to the next run.
  [[nodiscard("a program does nothing until it is run")]] Do<Handle<R>> use(
      detail::Location location = detail::Location::current()) const {
    auto lend = [state = state_, location](const detail::Ref<detail::PoolPlace>& place) {
      return state->instance(place, location);
    };
    return detail::releasedOnFailure(state_->place(location).flatMap(std::move(lend)));
  }

  /// Calls function(handle) with an instance, in a separate scope, in a block of direct style as elsewhere:
  /// at its end the resources of the function are released and the instance is given back. The function
  /// returns a Do, a UnitContinuation, a Coroutine, which is run as a block, or a value. A block on a fiber
  /// is directScoped([&] { auto handle = !pool.use(); ... }).
  template <class F>
    requires std::invocable<const F&, const Handle<R>&>
  [[nodiscard("a program does nothing until it is run")]] auto with(
      F function, detail::Location location = detail::Location::current()) const {
    return detail::inScope(use(location), std::move(function));
  }
  void with(...) const = delete;  // expected a function f(const Handle<R>&), const, not mutable

  /// Refuses later uses, and serves the runs that already wait. When all instances have been given back,
  /// releases them, and fails with the errors of the releases. A run that holds an instance and calls this
  /// waits for ever. A second shutdown only waits for the end of the first. If a request to stop ends the
  /// wait, the instances are left to another shutdown, such as the shutdown at the end of the pool's scope.
  [[nodiscard("a program does nothing until it is run")]] Do<void> shutdown(
      detail::Location location = detail::Location::current()) const {
    auto empty = [emptied = state_->emptied()] { return emptied; };
    return state_->allPlaces(location).flatMap(std::move(empty)).run();
  }

  std::size_t size() const noexcept { return state_->size(); }

 private:
  using State = detail::PoolState<R>;

  explicit Pool(detail::Ref<State> state) noexcept : state_(std::move(state)) {}

  static Do<Pool> make(std::size_t size, const Do<R>& factory, typename State::HealthCheck check) {
    detail::PoolGate::checkSize(size);
    return tapestry::resource(Do<Pool>::delay([size, factory, check = std::move(check)] {
                                return Pool(detail::makeRef<State>(size, factory, check));
                              }),
                              [](const Pool& pool) { return pool.shutdown(); });
  }

  detail::Ref<State> state_;
};

}  // namespace tapestry
#pragma GCC visibility pop
