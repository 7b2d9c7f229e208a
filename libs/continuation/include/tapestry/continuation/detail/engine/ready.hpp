// Defines how a thread drives tasks: one loop per thread, to which everything that becomes ready is added.
#pragma once

#include <cstdint>
#include <limits>
#include <utility>

#include "tapestry/continuation/detail/engine/thread_state.hpp"
#include "tapestry/continuation/executor.hpp"

namespace tapestry::detail {

/// Executes the task and all that it makes ready; inside a task that is being executed, adds it to the queue
/// instead.
void drive(Task& task) noexcept;

/// What `stepsLeft` is at the beginning of a turn, of what the executor is set to: a run that never makes way
/// asks again after a turn, too.
constexpr std::uint32_t turnOf(std::uint32_t stepsPerTurn) noexcept {
  if (stepsPerTurn == 0) stepsPerTurn = Executor::defaultStepsPerTurn;
  return stepsPerTurn + (stepsPerTurn != std::numeric_limits<std::uint32_t>::max());
}
static_assert(ReadyTasks().stepsLeft == turnOf(Executor::defaultStepsPerTurn));

/// Begins the next turn of the calling thread; whether what runs on the executor is to make way before.
inline bool turnEnds(const Executor& executor) noexcept {
  const std::uint32_t steps = executor.stepsPerTurn();
  threadState.ready.stepsLeft = turnOf(steps);
  return steps != 0 && executor.othersWaitHere();
}

/// Adds a branch of a parallel program, to be executed on this thread when what runs now is parked or has
/// ended. Precondition: the caller is being driven.
inline void pushBranch(Task& task) noexcept {
  task.nextTask = threadState.ready.branches;
  threadState.ready.branches = &task;
}

void pushWoken(Task& task) noexcept;

/// The next ready task of this thread, or null.
inline Task* popReady() noexcept {
  auto& ready = threadState.ready;
  Task*& list = ready.wokenHead ? ready.wokenHead : ready.branches;
  Task* const task = list;
  if (task) list = task->nextTask;
  return task;
}

/// While it stands, the thread begins anew: what surrounds it waits, and neither the tasks nor the dead nodes
/// of that are driven here, nor its requests to stop, nor does the thread work for an executor or on a block
/// of direct style.
class Interlude {
 public:
  /// `driving` says whether what becomes ready is to be queued at once.
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

/// While it stands, what becomes ready is only queued; the outermost one drives the queue in the end.
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
  Graveyard graveyard_;  ///< a run that goes on because a node dies frees its own nodes as it goes
  DirectBlock* block_;   ///< which cannot await what is driven on its stack
};

}  // namespace tapestry::detail
