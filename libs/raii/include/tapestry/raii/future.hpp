// Defines toFuture, a std::future of a program's outcome, and fromFuture, a program that waits for a future.
#pragma once

#include <chrono>
#include <concepts>
#include <future>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "tapestry/continuation/async.hpp"
#include "tapestry/continuation/blocking.hpp"
#include "tapestry/raii/do.hpp"
#include "tapestry/raii/on.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

/// Fulfils the promise with a run's outcome.
template <class A>
auto fulfil(std::promise<A> promise) {
  return [promise = std::move(promise)](Outcome<A> outcome) mutable {
    try {
      if constexpr (std::is_void_v<A>) {
        std::move(outcome).valueOrThrow();
        promise.set_value();
      } else {
        promise.set_value(std::move(outcome).valueOrThrow());
      }
    } catch (...) {
      promise.set_exception(std::current_exception());
    }
  };
}

/// Calls the callback on a thread for blocking calls when the future is ready, or at once with
/// ExecutorStopped if the system gives no thread.
template <class A>
void notifyWhenReady(const std::shared_future<A>& future, Callback<Try<A>> callback,
                     const Location& location) {
  const auto take = [future] { return Try<A>::of([&future]() -> A { return future.get(); }); };
  if (future.wait_for(std::chrono::seconds(0)) == std::future_status::ready) return callback(take());
  const auto report = [callback = std::move(callback)](Outcome<Try<A>> result) {
    callback(result.hasValue() ? std::move(result).get() : Try<A>::failure(result.error()));
  };
  tapestry::delay(take).onComplete(report, blockingThreads(), StopToken(), location);
}

}  // namespace detail

/// Starts a run of the program, a UnitContinuation or a Do, on the calling thread until it suspends. After
/// all releases the future has the value, or throws the error or Cancelled. Destroying the future does not
/// affect the run; the token asks it to stop. (`get` of the future blocks: not for threads that programs run
/// on.)
template <detail::Startable P>
std::future<typename P::ValueType> toFuture(P program, const StopToken& stop = {},
                                            detail::Location location = detail::Location::current()) {
  std::promise<typename P::ValueType> promise;
  auto future = promise.get_future();
  std::move(program).onComplete(detail::fulfil(std::move(promise)), stop, location);
  return future;
}
/// As above, with all work of the run on the executor, which also executes its parallel branches.
template <detail::Startable P>
std::future<typename P::ValueType> toFuture(P program, Executor& executor, const StopToken& stop = {},
                                            detail::Location location = detail::Location::current()) {
  std::promise<typename P::ValueType> promise;
  auto future = promise.get_future();
  std::move(program).onComplete(detail::fulfil(std::move(promise)), executor, stop, location);
  return future;
}

void toFuture(...) = delete;  // expected a UnitContinuation or a Do, then an Executor, a StopToken or both

/// In every run, waits until the future is ready, and yields a copy of its value, or fails with its
/// exception. The run suspends, and a thread for blocking calls (tapestry/continuation/blocking.hpp) waits
/// for the future, and executes it if it is deferred; no thread waits for a future that is ready. A request
/// to stop ends the run's wait at once; the thread waits on until the future is ready. The run continues on
/// its own executor. Fails with ExecutorStopped if the future is not ready and the system gives no thread.
/// Throws std::invalid_argument if the future has no state.
template <class A>
  requires std::is_void_v<A> || (std::copy_constructible<A> && std::is_object_v<A>)
[[nodiscard("a program does nothing until it is run")]] Do<A> fromFuture(
    std::shared_future<A> future, detail::Location location = detail::Location::current()) {
  if (!future.valid())
    throw std::invalid_argument("tapestry::fromFuture: got a future without a state, expected a valid one");
  return tapestry::on(Executor::inlined(),
                      Do<A>::async(
                          [future = std::move(future), location](const Callback<Try<A>>& callback) {
                            detail::notifyWhenReady(future, callback, location);
                          },
                          location),
                      location);
}
/// As above; the program shares the future.
template <class A>
  requires std::is_void_v<A> || (std::copy_constructible<A> && std::is_object_v<A>)
[[nodiscard("a program does nothing until it is run")]] Do<A> fromFuture(
    std::future<A>&& future, detail::Location location = detail::Location::current()) {
  return tapestry::fromFuture(std::shared_future<A>(std::move(future)), location);
}

template <class A>
void fromFuture(std::future<A>&) = delete;  // expected std::move(future), for a program takes it over
void fromFuture(...) = delete;              // expected a future of a value that can be copied

}  // namespace tapestry
#pragma GCC visibility pop
