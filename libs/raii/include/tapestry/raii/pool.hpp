// Defines Pool, a number of instances that runs use in turn, and PoolClosed, the error of later uses.
#pragma once

#include <concepts>
#include <cstddef>
#include <exception>

#include "tapestry/raii/detail/in_scope.hpp"
#include "tapestry/raii/detail/pool_state.hpp"
#include "tapestry/raii/detail/released_unless.hpp"
#include "tapestry/raii/scoped.hpp"

namespace tapestry {

/// The error of a use that began after the pool's shutdown did.
struct PoolClosed final : std::exception {
  const char* what() const noexcept override;
};

/// At most `size` instances at a time, made when they are needed and none is idle, each used by one run at a
/// time: first come, first served, with the instance that has been idle for longest, so that all are used
/// alike. Copies are the same pool. Usable from several threads at once, and by runs on any executors.
template <class R>
class Pool {
 public:
  /// A pool for the scope. What `factory` acquires is an instance; it is released when it is found unhealthy,
  /// and else by the shutdown, with which the scope ends. An instance that has nothing to be released, for
  /// the factory only makes it, is closed by `instance.close()`, if it has that, as with `scoped`. Throws
  /// std::invalid_argument for a size of 0.
  [[nodiscard("a program does nothing until it is run")]] static Do<Pool> scoped(std::size_t size,
                                                                                 const Do<R>& factory) {
    return make(size, factory, nullptr);
  }
  /// As above, with a check of every instance that is given back, bool(R&) or Do<bool>(R&), which says
  /// whether it may be used again. If not, the instance is released before another run gets its place;
  /// errors of that are, as those of the check, which count as no, errors of the scope that has used the
  /// instance.
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

  /// An instance, until the scope ends; the handle is of no use afterwards. Waits while all are in use, and
  /// while a fresh one is made, which is a run of its own; a request to stop ends either wait at once, unless
  /// masked. An instance whose user has left becomes idle in the pool when it has been made; where no run
  /// waits for a place either, its making is asked to stop, and errors of that are dropped. Fails with
  /// PoolClosed, and with the error of the factory, which leaves the place to the next.
  [[nodiscard("a program does nothing until it is run")]] Do<Handle<R>> use(
      detail::Location location = detail::Location::current()) const {
    auto lend = [state = state_, location](const detail::Ref<detail::PoolPlace>& place) {
      return state->instance(place, location);
    };
    return detail::releasedOnFailure(state_->place(location).flatMap(std::move(lend)));
  }

  /// Calls function(handle) with an instance, in a scope of its own: the instance is given back, and what the
  /// function has acquired is released, when this ends, whether in a block of direct style or elsewhere. The
  /// function returns a Do, a UnitContinuation, a Coroutine, which is run as a block, or a value. A block on
  /// a fiber is directScoped([&] { auto handle = !pool.use(); ... }).
  template <class F>
    requires std::invocable<const F&, const Handle<R>&>
  [[nodiscard("a program does nothing until it is run")]] auto with(
      F function, detail::Location location = detail::Location::current()) const {
    return detail::inScope(use(location), std::move(function));
  }
  void with(...) const = delete;  // expected a function f(const Handle<R>&), const, not mutable

  /// Refuses later uses, and serves the runs that already wait. When all instances have been given back,
  /// releases them, and fails with the errors of that. A run that holds an instance and calls this waits
  /// for ever. A second shutdown only waits for the end of the first. If a request to stop ends the
  /// wait, the instances are left to another shutdown, such as that of the pool's scope.
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
    return resource(Do<Pool>::delay([size, factory, check = std::move(check)] {
                      return Pool(detail::makeRef<State>(size, factory, check));
                    }),
                    [](const Pool& pool) { return pool.shutdown(); });
  }

  detail::Ref<State> state_;
};

}  // namespace tapestry
