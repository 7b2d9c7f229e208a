// Defines drive and the queue of ready tasks, which each thread drives in one loop, and BranchTicket.
#pragma once

#include <cstdint>
#include <limits>
#include <utility>

#include "tapestry/continuation/detail/engine/thread_state.hpp"
#include "tapestry/continuation/executor.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// Executes the task and all tasks that it makes ready; called inside a task that is being executed, adds the
/// task to the queue instead.
void drive(Task& task) noexcept;

/// The value of `stepsLeft` at the beginning of a turn, for the executor's setting. A run that never makes
/// way checks the setting again after a default turn.
constexpr std::uint32_t turnOf(std::uint32_t stepsPerTurn) noexcept {
  if (stepsPerTurn == 0) stepsPerTurn = Executor::defaultStepsPerTurn;
  return stepsPerTurn + (stepsPerTurn != std::numeric_limits<std::uint32_t>::max());
}
static_assert(ReadyTasks().stepsLeft == turnOf(Executor::defaultStepsPerTurn));

/// Begins a turn of the calling thread, before a task of the executor.
inline void beginTurn(const Executor& executor) noexcept {
  threadState.ready.stepsLeft = turnOf(executor.stepsPerTurn());
}

/// Begins the next turn of the calling thread; returns whether a run on the executor is to yield before.
inline bool turnEnds(const Executor& executor) noexcept {
  const std::uint32_t steps = executor.stepsPerTurn();
  threadState.ready.stepsLeft = turnOf(steps);
  return steps != 0 && executor.othersWaitHere();
}

/// Adds a branch of a parallel program, to be executed on this thread when the current run is parked or has
/// ended. Precondition: the caller is being driven.
inline void pushBranch(Task& task) noexcept {
  task.nextTask = threadState.ready.branches;
  threadState.ready.branches = &task;
}

/// A task that begins branches of a parallel program, one after the other.
class BranchTicket : public Task {
 public:
  /// Called while the ticket waits for a thread that a run keeps: offers its branches to the workers of
  /// that run, if they are its own. Returns whether the ticket does not wait here any more.
  [[nodiscard]] virtual bool leaveTo(Executor& workers) noexcept = 0;

 protected:
  ~BranchTicket() = default;
};

void pushWoken(Task& task) noexcept;

inline bool hasReady() noexcept { return threadState.ready.wokenHead || threadState.ready.branches; }

/// The next ready task of this thread, or null.
inline Task* popReady() noexcept {
  auto& ready = threadState.ready;
  Task*& list = ready.wokenHead ? ready.wokenHead : ready.branches;
  Task* const task = list;
  if (task) list = task->nextTask;
  return task;
}

/// During its lifetime, the thread has a new, empty Activity: the surrounding activity waits, and its tasks,
/// dead nodes and requests to stop are not processed; the thread works for no executor and on no block of
/// direct style.
class Interlude {
 public:
  /// `driving` says whether tasks that become ready are queued from the start.
  explicit Interlude(bool driving) noexcept : outer_(std::exchange(activity(), Activity())) {
    activity().ready.driving = driving;
  }
  Interlude(const Interlude&) = delete;
  Interlude& operator=(const Interlude&) = delete;
  ~Interlude() { activity() = outer_; }

 private:
  static Activity& activity() noexcept { return threadState; }
  const Activity outer_;
};

/// During its lifetime, tasks that become ready are only queued; the outermost DriveScope drives the queue at
/// its end.
class DriveScope {
 public:
  DriveScope() noexcept : outer_(threadState.ready.driving), block_(threadState.block) {
    if (outer_) return;
    threadState.ready.driving = true;
    threadState.block = nullptr;
    graveyard_ = std::exchange(threadState.graveyard, Graveyard());
  }
  DriveScope(const DriveScope&) = delete;
  DriveScope& operator=(const DriveScope&) = delete;
  ~DriveScope() {
    if (outer_) return;
    while (Task* task = popReady()) task->execute();
    threadState.ready.driving = false;
    threadState.block = block_;
    threadState.graveyard = graveyard_;
  }

 private:
  bool outer_;
  Graveyard graveyard_;  ///< a run that continues because a node dies frees its own nodes at once
  DirectBlock* block_;   ///< cannot await tasks that are driven on its stack
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
