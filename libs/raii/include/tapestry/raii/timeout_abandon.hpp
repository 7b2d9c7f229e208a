// Defines timeoutAbandon, a timeout that does not wait for the program that is late.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <utility>

#include "tapestry/continuation/extend/wait_queue.hpp"
#include "tapestry/raii/timeout.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

using ErrorReport = std::function<void(const std::exception_ptr&)>;

/// The state that the run beside shares with the run that waits for it, at an OpenWaiter; the phase is open
/// when the run beside has ended, in whatever way. The queue's lock guards result_ and abandoned_.
template <class A>
class Beside final : public Node, public OpenOnce {
 public:
  using Acquired = typename Do<A>::Acquired;
  using Result = std::unique_ptr<Outcome<Acquired>>;

  Beside(ErrorReport report, Executor& executor, Executor* workers)
      : report_(std::move(report)), executor_(executor), hold_(holdOf(executor)), workers_(workers) {
    phase = Phase::opening;
  }

  void start(const UnitContinuation<Acquired>& program) {
    auto ended = [self = Ref<Beside>::share(this)](Outcome<Acquired> outcome) {
      self->ended(std::make_unique<Outcome<Acquired>>(std::move(outcome)));
    };
    launch<Acquired>(program.node(), std::move(ended), executor_, workers_, stop_.token());
  }

  /// To be called before start(): while its result is awaited, the run beside is asked to stop together with
  /// the run that waits.
  void follow(StopState& stop) noexcept { stop_.token().state().linkTo(stop); }

  /// Returns the result if it is there. Otherwise the wait is over: the run beside is asked to stop, and its
  /// result is dropped.
  Result takeOrAbandon() {
    stop_.token().state().unlink();
    Result result;
    {
      const SpinGuard guard(queue.lock);
      result = std::move(result_);
      abandoned_ = !result;
    }
    if (!result) stop_.requestStop();
    return result;
  }

 private:
  void ended(Result result) {
    const bool isAwaited = wakeAllIf(queue, [&] {
      if (abandoned_) return false;
      result_ = std::move(result);
      phase = Phase::open;
      return true;
    });
    if (!isAwaited) drop(*result);
  }

  void drop(Outcome<Acquired>& outcome) {
    if (outcome.hasError()) tell(outcome.error());
    if (!outcome.hasValue()) return;
    Acquired& acquired = outcome.get();
    if (acquired.value.error()) tell(acquired.value.error());
    auto left = acquired.takeReleaseUnused();
    if (!left) return;
    auto released = [self = Ref<Beside>::share(this)](const Outcome<Errors>& errors) {
      const auto error = errors.hasValue() ? errors.get().toException() : errors.error();
      if (error) self->tell(error);
    };
    const UnitContinuation<Errors> release = mask(*std::move(left));
    // an executor that refuses work would drop the release
    Executor& here = executor_.isHere() ? executor_ : Executor::inlined();
    launch<Errors>(release.node(), std::move(released), here, workers_, StopToken());
  }

  /// A cancellation of the program, even if one of its functions has thrown it, is not told.
  void tell(const std::exception_ptr& all) const noexcept {
    try {
      const std::exception_ptr error = withoutCancelled(all);
      if (error && report_) report_(error);
    } catch (...) {  // no run is left to get the error
    }
  }

  const ErrorReport report_;
  Executor& executor_;
  const ExecutorHold hold_;  // for drop(): the run beside may have shifted to another executor
  Executor* const workers_;
  const StopSource stop_;
  Result result_;
  bool abandoned_ = false;
};

/// A program that runs beside its run, which ends its wait as soon as it is asked to stop.
template <class A>
class [[nodiscard("a program does nothing until it is run")]] Detached
    : public ProgramOperations<Detached<A>> {
  using Place = OpenWaiter<Beside<A>>;

 public:
  using ValueType = typename Do<A>::Acquired;

  Detached(const Do<A>& program, ErrorReport report, Location location)
      : program_(program.acquire()), report_(std::move(report)), location_(location) {}

  void step(Run& run, Keeper keeper) const {
    run.keep(std::move(keeper));
    if (run.stopIfRequested()) return;
    Executor* const helpers = run.environment()->workers();
    Executor* const workers = helpers ? &helpers->lasting() : nullptr;
    Executor& lasting = run.executor().lasting();
    Executor& executor = workers && &lasting == &Executor::inlined() ? *workers : lasting;
    const auto beside = makeRef<Beside<A>>(report_, executor, workers);
    beside->follow(run.stopState());
    run.keep(beside);
    run.park(run.push<goOn, refused>(makeRef<Place>(*beside)), {"timeoutAbandon", location_});
    beside->start(tapestry::withClock(clockOf(run), program_));
  }

 private:
  static void goOn(Place& place, Run& run) {
    const bool cancelled = place.leave();
    const auto result = place.state().takeOrAbandon();
    if (!result || result->isCancelled()) return run.stop(Errors());
    if (result->hasError()) return run.stop(Errors(result->error()));
    if (cancelled) return cancelHolding(run, std::move(result->get()));
    run.put<ValueType>(std::move(result->get()));
  }

  /// The run's executor refused to continue the run.
  static void refused(Place& place, Run& run) {
    place.leave();
    const auto result = place.state().takeOrAbandon();
    if (!result || result->isCancelled()) return;
    Errors errors = result->hasError() ? Errors(result->error()) : result->get().errors();
    errors.append(run.takeStop());
    run.stop(std::move(errors));
    if (result->hasValue()) finalizeStop(run, result->get().abandon().node());
  }

  UnitContinuation<ValueType> program_;
  ErrorReport report_;
  Location location_;
};

}  // namespace detail

/// The result of the program, or TimeoutError as soon as the duration is over. For programs that do not end
/// when they are asked to stop, such as an operation whose callback may never come; for all others use
/// `timeout`, which loses nothing.
///
/// The program is abandoned when it is late, and when the run that waits is cancelled: it is asked to stop,
/// and continues in the background to its end, beyond the scope in which it was begun. A value that it yields
/// then is released. Its error, and errors of its releases, are passed to `report` where it ends, or are lost
/// without a `report`; its cancellation is not an error. The destructor of a pool on which it runs waits for
/// it. It is work of the Asio context on which it has begun until it has ended.
///
/// The program runs beside this run, on the run's executor. If the run has none, as in blockingAwait, it runs
/// on the workers, or else on the threads that call its callbacks. It has the run's clock, but no other slots
/// of the run's environment, which may end before it. Objects to which the program refers must outlive it.
template <class A>
[[nodiscard("a program does nothing until it is run")]] Do<A> timeoutAbandon(
    const Do<A>& program, detail::Ticks duration,
    std::function<void(const std::exception_ptr&)> report = nullptr,
    detail::Location location = detail::Location::current()) {
  return Do<A>(
      detail::stopToError<A>(detail::Timed<detail::Detached<A>, detail::ErrorIfLate<A>>(
                                 detail::Detached<A>(program, std::move(report), location), duration.count),
                             extend::At{"timeoutAbandon", location}));
}

}  // namespace tapestry
#pragma GCC visibility pop
