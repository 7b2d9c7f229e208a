// Defines Supervisor, a scope of programs that run beside it, and supervised, a scope that ends with the
// first error.
#pragma once

#include <concepts>
#include <exception>
#include <string>
#include <type_traits>
#include <utility>

#include "tapestry/concurrent/task.hpp"
#include "tapestry/raii/do.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

struct SupervisedBody;

}  // namespace detail

/// The treatment of a supervisor's children, the programs that it has started.
struct SupervisorOptions {
  enum class OnExit {
    cancel,  ///< asks them to stop when the scope ends
    join     ///< lets them run to their ends
  };
  enum class OnError {
    isolated,  ///< an error of a child stops no others
    failFast   ///< the first error of a child asks the others, and the body of `supervised`, to stop
  };

  OnExit onExit = OnExit::cancel;
  OnError onError = OnError::isolated;
};

/// Starts any number of programs beside the run; none of them outlives the scope, which ends when all have
/// ended and released their resources. Copies share the supervisor. Usable from several threads at once, and
/// by runs on any executors.
///
/// A request to stop the scope reaches the children at once, also while the scope waits for their ends.
///
/// No error is lost: errors that no Task::join has delivered fail the scope, in the order in which they
/// occurred. A child that has ended without an error leaves nothing behind.
class Supervisor {
 public:
  /// A supervisor for the scope. The wait at the end of the scope does not see requests to stop.
  [[nodiscard("a program does nothing until it is run")]] static Do<Supervisor> scoped(
      SupervisorOptions options = {}, detail::Location location = detail::Location::current());

  /// Starts the program, in a separate scope, and yields its task. The program runs where the spawning run
  /// does, with its clock and slots, and begins when that run waits or ends, or on another thread of the
  /// executor. A request to stop the supervisor's scope also stops the program. Fails with Closed if the
  /// scope has ended or is about to end, and with std::logic_error in a pass that the supervisor outlives.
  /// dumpRuns lists a program that has a name.
  template <class A>
  [[nodiscard("a program does nothing until it is run")]] Do<Task<A>> spawn(
      const Do<A>& program, std::string name = {},
      detail::Location location = detail::Location::current()) const {
    const Do<A> named = name.empty() ? program : program.named(name, location);
    return Do<Task<A>>(detail::SpawnChild<A>(state_, named, std::move(name), location));
  }
  // Nobody would run the program that is the value.
  template <class A>
  void spawn(  // expected a Do whose value is no program: flatMap for map, return !program in a block
      const Do<Do<A>>&, std::string = {}, detail::Location = detail::Location::current()) const = delete;
  void spawn(...) const = delete;  // expected a Do, at most a name

  /// Asks all children to stop, and takes no more children. Usable from a thread without runs, too.
  void requestStop() const noexcept { state_->cancelAll(); }

 private:
  friend struct detail::SupervisedBody;
  friend class Dispatcher;

  explicit Supervisor(detail::Ref<detail::SupervisorState> state) noexcept : state_(std::move(state)) {}
  Do<void> end(SupervisorOptions options, detail::Location location) const;

  detail::Ref<detail::SupervisorState> state_;
};

namespace detail {

/// Runs the body with a separate stop state. A body that the first error of a child has stopped fails.
template <class A>
class [[nodiscard("a program does nothing until it is run")]] BodyRun : public ProgramOperations<BodyRun<A>> {
 public:
  using ValueType = extend::Acquired<A>;

  BodyRun(const Do<A>& body, Ref<SupervisorState> supervisor)
      : body_(body.acquire()), supervisor_(std::move(supervisor)) {}

  void step(Run& run, Keeper keeper) const {
    run.keep(std::move(keeper));
    run.push<nullptr, &BodyRun::stopped>(this);
    run.enter(Ref<const BodyState>(supervisor_->beginBody(run)));
    body_.step(run, {});
  }

 private:
  void stopped(Run& run) const {
    if (run.stopRequested() || !supervisor_->hasFailed()) {
      if (supervisor_->failsFast()) supervisor_->cancelAll();
      return;
    }
    const Errors errors = run.takeStop();
    auto error = errors.empty() ? supervisor_->cancellation() : errors.toException();
    run.put(ValueType{Try<A>::failure(std::move(error)), {}});
  }

  UnitContinuation<ValueType> body_;
  Ref<SupervisorState> supervisor_;
};

struct SupervisedBody {
  /// Yields the value of the body, or fails with the first error of a child, which cancels the body.
  template <class A>
  static Do<A> untilFailure(const Do<A>& body, const Supervisor& supervisor) {
    auto decide = [state = supervisor.state_](Try<A> ended) -> Do<A> {
      const std::exception_ptr own = ended.error();
      const std::exception_ptr error = state->errorWith(own);
      if (error && state->failsFast()) state->cancelAll();
      if (error != own) return Do<A>::raiseError(error);
      return Do<A>::delay(
          [once = Once<Try<A>>(std::move(ended))]() -> A { return once.take().valueOrThrow(); });
    };
    return Do<A>(BodyRun<A>(body, supervisor.state_)).attempt().flatMap(std::move(decide));
  }
};

}  // namespace detail

/// A scope in which body(supervisor), a Do, and the children that it spawns run; yields the value of the body
/// when all children have ended. If a child or the body fails, the others are asked to stop, and this fails
/// with the first error, and with errors of releases (a nursery). The options may change this.
template <class F>
  requires std::invocable<const F&, const Supervisor&> &&
           detail::isDo<std::invoke_result_t<const F&, const Supervisor&>>
[[nodiscard("a program does nothing until it is run")]] auto supervised(
    F body,
    SupervisorOptions options = {SupervisorOptions::OnExit::join, SupervisorOptions::OnError::failFast},
    detail::Location location = detail::Location::current()) {
  return Supervisor::scoped(options, location)
      .flatMap([body = std::move(body)](const Supervisor& supervisor) {
        return detail::SupervisedBody::untilFailure(body(supervisor), supervisor);
      })
      .run();
}

void supervised(...) = delete;  // expected a function f(const Supervisor&), const, that returns a Do

}  // namespace tapestry
#pragma GCC visibility pop
