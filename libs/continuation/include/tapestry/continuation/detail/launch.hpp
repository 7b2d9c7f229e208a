// Defines launch and awaitBlocking, which give a program its final callback and so start a run of it.
#pragma once

#include <optional>
#include <utility>

#include "tapestry/continuation/detail/group_member.hpp"
#include "tapestry/continuation/detail/program.hpp"
#include "tapestry/continuation/outcome.hpp"
#include "tapestry/continuation/stop.hpp"

namespace tapestry::detail {

template <class A>
Outcome<A> takeOutcome(Run& run) {
  if (!run.stopping()) return Outcome<A>::value(run.take<Stored<A>>());
  const Errors errors = run.takeStop();
  return errors.empty() ? Outcome<A>::cancelled() : Outcome<A>::error(errors.toException());
}

/// A run that owns its callback, and itself until it has ended.
template <class A, class F>
class LaunchedRun final : public Node, private Receiver {
 public:
  LaunchedRun(F callback, Ref<const Environment> environment, Ref<GroupMember> member)
      : callback_(std::move(callback)), member_(std::move(member)), run_(std::move(environment), *this) {}

  void start(Ref<const ProgramNode> program) noexcept {
    run_.next(program.detach(), true);
    run_.resume();
  }

 private:
  void receive(Run& run) noexcept override {
    const Ref<GroupMember> member = std::move(member_);
    if (member) member->unlinkAll();
    deliver(takeOutcome<A>(run));
    if (member) member->leave();
  }

  void deliver(Outcome<A> outcome) noexcept {
    F callback = std::move(callback_);
    release();
    callback(std::move(outcome));
  }

  F callback_;
  Ref<GroupMember> member_;
  Run run_;
};

template <class A, class F>
void launch(Ref<const ProgramNode> program, F callback, Executor& executor, Executor* workers,
            const StopToken& stop) {
  Ref<GroupMember> member;
  if (RunGroup* group = executor.runs()) member = makeRef<GroupMember>(*group, stop.state());
  auto environment =
      makeRef<const Environment>(executor, workers, member ? Ref<StopState>(member) : stop.state());
  (new LaunchedRun<A, F>(std::move(callback), std::move(environment), std::move(member)))
      ->start(std::move(program));
}

/// The event loop of a thread that waits in blockingAwait.
class BlockingLoop;

/// A run on the calling thread's stack, which the thread drives until it has ended, here or elsewhere.
class BlockingRun : private Receiver {
 public:
  BlockingRun(const BlockingRun&) = delete;
  BlockingRun& operator=(const BlockingRun&) = delete;

 protected:
  BlockingRun() noexcept = default;
  ~BlockingRun() = default;

  /// Throws std::logic_error on a pool's worker.
  static void checkThread();
  void await(Executor* workers, const StopToken& stop);
  virtual void start(Run& run) noexcept = 0;
  virtual void takeFrom(Run& run) noexcept = 0;

 private:
  void receive(Run& run) noexcept override;
  BlockingLoop* loop_ = nullptr;
};

template <class P>
class BlockingRunOf final : private BlockingRun {
  using A = typename P::ValueType;

 public:
  explicit BlockingRunOf(const P& program) noexcept : program_(program) {}

  Outcome<A> outcome(Executor* workers, const StopToken& stop) {
    await(workers, stop);
    return std::move(*outcome_);
  }

 private:
  void start(Run& run) noexcept override { program_.step(run, nullptr); }
  void takeFrom(Run& run) noexcept override { outcome_.emplace(takeOutcome<A>(run)); }

  const P& program_;
  std::optional<Outcome<A>> outcome_;
};

template <Program P>
typename P::ValueType awaitBlocking(const P& program, Executor* workers, const StopToken& stop) {
  return BlockingRunOf<P>(program).outcome(workers, stop).valueOrThrow();
}

}  // namespace tapestry::detail
