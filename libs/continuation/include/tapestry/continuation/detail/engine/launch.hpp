// Defines launch and awaitBlocking, which start a run of a program.
#pragma once

#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "tapestry/continuation/detail/engine/named_scope.hpp"
#include "tapestry/continuation/detail/engine/program.hpp"
#include "tapestry/continuation/outcome.hpp"
#include "tapestry/continuation/parallel/detail/group_member.hpp"
#include "tapestry/continuation/stop.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

template <class A>
Outcome<A> takeOutcome(Run& run) {
  if (!run.stopping()) return Outcome<A>::value(run.take<Stored<A>>());
  const Errors errors = run.takeStop();
  return errors.empty() ? Outcome<A>::cancelled() : Outcome<A>::error(errors.toException());
}

/// As takeOutcome, but replaces another outcome.
template <class A>
void replaceOutcome(Outcome<A>& outcome, Run& run) {
  std::destroy_at(&outcome);
  ::new (static_cast<void*>(&outcome)) Outcome<A>(takeOutcome<A>(run));
}

/// The environment in which a run begins; it keeps the state of the run's token and the workers.
class RootEnvironment final : public Environment {
 public:
  RootEnvironment(Executor* workers, const StopToken& stop) noexcept : Environment(workers, stop.state()) {
    if (workers) workers->hold();
    if (counted()) this->stop().retain();
  }
  /// To be called once, before the destructor.
  ExecutorHold takeWorkers() const noexcept { return ExecutorHold(workers()); }
  ~RootEnvironment() {
    if (counted()) stop().release();
  }

 private:
  bool counted() const noexcept { return !stop().isUnaskable(); }
};

/// A run that owns its callback, and itself until it has ended.
template <class A, class F>
class LaunchedRun final : public Run {
 public:
  LaunchedRun(F callback, Executor& executor, Executor* workers, const StopToken& stop, bool isMember,
              const Location& location)
      : Run(root_, executor),
        isMember_(isMember),
        callback_(std::move(callback)),
        location_(location),
        root_(workers, stop) {
    if (workers != &executor) holdExecutor();
  }

  void start(Ref<const ProgramNode> program) noexcept {
    next(tracksRuns() ? enteringFirst(std::move(program), "run", location_) : std::move(program));
    resume();
  }

 private:
  void ended() noexcept override {
    if (!isMember_) return deliver();
    const auto member = Ref<GroupMember>::share(static_cast<GroupMember*>(&root_.stop()));
    member->unlinkAll();
    deliver();
    member->leave();
  }

  void deliver() noexcept {
    auto outcome = takeOutcome<A>(*this);
    F callback = std::move(callback_);
    const Location location = location_;
    // keeps a context at work for which this is the last work, until the callback has been called
    const ExecutorHold workers = root_.takeWorkers();
    const ExecutorHold executor = takeHold();
    delete this;
    try {
      callback(std::move(outcome));
    } catch (...) {
      callbackThrew(location);
    }
  }

  const bool isMember_;  ///< of a group; the run's stop state is then a GroupMember
  F callback_;
  const Location location_;
  const RootEnvironment root_;
};

template <class A, class F>
void launch(Ref<const ProgramNode> program, F callback, Executor& startedOn, Executor* helpedBy,
            const StopToken& stop, const Location& location = {}) {
  Executor& executor = startedOn.core();
  Executor* const workers = helpedBy ? &helpedBy->core() : nullptr;
  RunGroup* const group = executor.runs();
  const StopToken own = group ? StopToken(makeRef<GroupMember>(*group, stop)) : stop;
  (new LaunchedRun<A, F>(std::move(callback), executor, workers, own, group != nullptr, location))
      ->start(std::move(program));
}

/// The event loop of a thread that waits in blockingAwait.
class BlockingLoop;

/// A run on the calling thread's stack; the thread drives tasks until the run has ended, on this or another
/// thread.
class BlockingRun final : public Run {
 public:
  BlockingRun() noexcept = default;

  /// Afterwards the value is in the run. Throws the error, or Cancelled, if the run was stopped, and
  /// std::logic_error on a thread that must not wait.
  template <Program P>
  void await(const P& program, Executor* workers, const StopToken& stop, const Location& location) {
    constexpr auto step = [](const void* self, Run& run) noexcept {
      const P& entered = *static_cast<const P*>(self);
      // an erased program is entered at once, where step() would leave this to the run's loop
      if constexpr (requires { entered.node()->step(run, Keeper::Raw()); })
        entered.node()->step(run, {});
      else
        entered.step(run, {});
    };
    await(&program, step, workers, stop, location);
  }

 private:
  void await(const void* program, void (*step)(const void* program, Run& run) noexcept, Executor* workers,
             const StopToken& stop, const Location& location);
  void ended() noexcept override;

  BlockingLoop* loop_ = nullptr;
};

template <Program P>
typename P::ValueType awaitBlocking(const P& program, Executor* workers, const StopToken& stop,
                                    const Location& location) {
  using A = typename P::ValueType;
  BlockingRun run;
  run.await(program, workers, stop, location);
  if constexpr (std::is_void_v<A>)
    run.take<Unit>();
  else
    return run.take<A>();
}

}  // namespace tapestry::detail
#pragma GCC visibility pop
