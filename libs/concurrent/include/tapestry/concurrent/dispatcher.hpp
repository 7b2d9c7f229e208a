// Defines Dispatcher, with which foreign threads and callbacks start programs in a scope.
#pragma once

#include <exception>
#include <functional>
#include <future>
#include <type_traits>
#include <utility>

#include "tapestry/concurrent/channel.hpp"
#include "tapestry/concurrent/closed.hpp"
#include "tapestry/concurrent/detail/posting.hpp"
#include "tapestry/concurrent/supervisor.hpp"
#include "tapestry/raii/error_as.hpp"
#include "tapestry/raii/future.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

struct DispatcherOptions {
  enum class Order {
    sequential,  ///< a program starts when the previous program and all its releases have ended
    parallel     ///< programs start in order and run side by side
  };

  Order order = Order::sequential;
  /// The end of the scope: `cancel` asks running programs to stop, and drops programs that have not begun;
  /// `join` lets all programs run to their ends.
  SupervisorOptions::OnExit onExit = SupervisorOptions::OnExit::cancel;
  /// Called with the error of each program that was posted without a callback, on a thread of the run's
  /// executor. Must not throw. If empty, these errors are kept, and fail the scope at its end.
  std::function<void(const std::exception_ptr&)> onError = {};
};

/// Starts programs for code that is not a program: a thread, an event loop, a callback of another library.
/// Programs start in the order in which they are posted, each in a separate scope, and run where the run of
/// the dispatcher's scope does, with its clock and its slots. None of them outlives the scope. Copies share
/// the dispatcher. Usable from several threads at once, with and without runs; a post blocks no thread.
///
///     Dispatcher::scoped().flatMap([&](const Dispatcher& dispatcher) {
///       library.onMessage = [dispatcher, &store](Message message) {
///         if (!dispatcher.post(store.save(message))) lost(message);
///       };
///       return library.untilItEnds();
///     })
///
/// A request to stop the scope, and with OnExit::cancel its end, drop the programs that have not begun: their
/// callbacks and futures get the outcome cancelled. From then on nothing can be posted.
///
/// Cost: three allocations and a short lock for each program, besides those of its run.
class Dispatcher {
 public:
  /// A dispatcher for the scope. The run should have an executor, or be started by blockingAwait: otherwise
  /// programs run on the thread that posts. The wait at the end of the scope does not see requests to stop.
  [[nodiscard("a program does nothing until it is run")]] static Do<Dispatcher> scoped(
      DispatcherOptions options = {}, detail::Location location = detail::Location::current());

  /// Starts the program. Its value is dropped, and its error goes to DispatcherOptions::onError, or else
  /// fails the scope at the end. Returns false, and does not run the program, if the scope has ended or is
  /// about to end.
  template <class A>
  [[nodiscard("a program that is refused is not run")]] bool post(const Do<A>& program) const {
    if (!state_->onError) return post(program, detail::FailScope(), {});
    const auto report = [state = state_](const Outcome<A>& outcome) {
      if (const auto error = detail::withoutCancelled(outcome.error())) state->onError(error);
    };
    return post(program, report, {});
  }

  /// Starts the program, and calls callback(Outcome<A>) after all its releases, on a thread of the run's
  /// executor; the end of the scope waits for that call. The callback, which may be move-only, must not
  /// throw. Returns false, and does not call the callback, if the scope has ended or is about to end.
  template <class A, class F>
    requires std::is_invocable_v<F&, Outcome<A>>
  [[nodiscard("a program that is refused is not run")]] bool post(
      const Do<A>& program, F callback, detail::Location location = detail::Location::current()) const {
    const auto call = detail::makeRef<detail::PostedCall<A, F>>(program, std::move(callback), location);
    const bool posted = state_->postings.trySend(call);
    if (!posted) call->forget();
    return posted;
  }
  // Nobody would run the program that is the value.
  template <class A>
  void post(  // expected a Do whose value is no program: flatMap for map, return !program in a block
      const Do<Do<A>>&) const = delete;
  void post(...) const = delete;  // expected a Do<A>, at most a callback f(Outcome<A>)

  /// Starts the program. After all its releases the future has the value, or throws the error or Cancelled;
  /// it throws Closed if the scope has ended or is about to end. Destroying the future does not affect the
  /// program. (`get` of the future blocks: not for threads that programs run on.)
  template <class A>
  std::future<A> toFuture(const Do<A>& program,
                          detail::Location location = detail::Location::current()) const {
    std::promise<A> promise;
    auto future = promise.get_future();
    if (post(program, detail::fulfil(std::move(promise)), location)) return future;
    std::promise<A> refused;
    refused.set_exception(std::make_exception_ptr(Closed()));
    return refused.get_future();
  }
  void toFuture(...) const = delete;  // expected a Do

 private:
  struct State final : detail::Node {
    explicit State(std::function<void(const std::exception_ptr&)> report) : onError(std::move(report)) {}

    const std::function<void(const std::exception_ptr&)> onError;
    const Channel<detail::Ref<detail::Posting>> postings = Channel<detail::Ref<detail::Posting>>::unbounded();
  };

  explicit Dispatcher(const DispatcherOptions& options) : state_(detail::makeRef<State>(options.onError)) {}
  Do<void> startAll(const Supervisor& supervisor, DispatcherOptions::Order order) const;

  detail::Ref<State> state_;
};

}  // namespace tapestry
#pragma GCC visibility pop
