// Defines Executor, the interface of objects that execute tasks, such as a thread pool or an event loop.
#pragma once

#include <atomic>
#include <cstdint>

#pragma GCC visibility push(default)
namespace tapestry {

class Executor;

namespace detail {

/// Is executed once; `nextTask` links it into the queue that it waits in.
class Task {
 public:
  virtual void execute() noexcept = 0;
  /// Called instead of execute() by an executor that has taken the task and will never execute it.
  virtual void refuse() noexcept { execute(); }
  Task* nextTask = nullptr;

 protected:
  ~Task() = default;
};

class RunGroup;

}  // namespace detail

/// Executes the work of runs. Programs refer to an executor, which must exist when a run moves to it. The run
/// then keeps the core of a ThreadPool or an AsioExecutor alive; the executor may be destroyed before the run
/// ends, and then refuses the run. A user-defined executor must outlive its runs, unless it has a core().
///
/// Executors get their tasks from the library. A user-defined executor executes each task once, by
/// extend::drive (extend/task.hpp), or calls the task's refuse() if it has taken the task and will never
/// execute it. docs/write_your_own.md shows an example.
class Executor {
 public:
  /// The default number of steps, such as calls of `flatMap`, after which a run yields to other tasks.
  static constexpr std::uint32_t defaultStepsPerTurn = 1024;

  /// Arranges for the task to be executed, later and on a thread of this executor. Returns false if the
  /// executor was stopped: the caller then keeps the task. Thread-safe.
  [[nodiscard]] virtual bool post(detail::Task& task) noexcept = 0;

  /// Returns whether the calling thread belongs to this executor, so that work can continue in place.
  virtual bool isHere() const noexcept = 0;

  /// Returns whether the calling thread may execute runs that wait for this executor: it is a thread of the
  /// executor, or it waits for the executor's threads.
  virtual bool isHelpedHere() const noexcept { return isHere(); }

  /// Executes the task on the calling thread. Precondition: isHere().
  virtual void executeHere(detail::Task& task) noexcept;

  /// As post, but only if a worker is idle; false means that the caller may as well do the work itself.
  [[nodiscard]] virtual bool offer(detail::Task&) noexcept { return false; }
  /// A cheap, possibly outdated hint whether an offer would be taken.
  virtual bool idle() const noexcept { return false; }

  /// The group of the runs started on this executor, for which it waits before it is destroyed; null if it
  /// does not wait for runs.
  virtual detail::RunGroup* runs() noexcept { return nullptr; }

  /// The executor for work that a run on this executor, or with these workers, starts and that may outlive
  /// the run.
  virtual Executor& lasting() noexcept { return *this; }

  /// The executor of a run that was started by a run on this executor and may outlive its starter. It
  /// executes the run on this executor as long as this executor exists. It must be held for later use.
  virtual Executor& guests() noexcept { return lasting(); }

  /// The object that runs refer to in place of this one; it lives as long as this object, or a run that holds
  /// it.
  virtual Executor& core() noexcept { return *this; }
  /// A core counts its holds. While the core of an AsioExecutor is held, its context has outstanding work.
  virtual void hold() noexcept {}
  /// Returns whether a hold counts as work, so that a run that has moved to another executor releases its
  /// hold at once.
  virtual bool worksWhileHeld() const noexcept { return false; }
  /// Called once for each hold(); afterwards the core may be destroyed.
  virtual void letGo() noexcept {}

  /// Sets the number of steps after which a run queues behind the tasks that wait for its executor; 0 for no
  /// limit. Counted for each thread, and from its next turn on. Thread-safe.
  void setStepsPerTurn(std::uint32_t steps) noexcept {
    // relaxed: a turn may still have the old length
    core().stepsPerTurn_.store(steps, std::memory_order_relaxed);
  }
  std::uint32_t stepsPerTurn() const noexcept {
    // relaxed: as above
    return const_cast<Executor*>(this)->core().stepsPerTurn_.load(std::memory_order_relaxed);
  }
  /// Returns whether tasks may wait for the calling thread, so that a run whose turn is over yields to
  /// them.
  virtual bool othersWaitHere() const noexcept { return isHere(); }

  /// The executor that executes each task on the thread that posts it; it never refuses a task.
  static Executor& inlined() noexcept;

 protected:
  constexpr explicit Executor(std::uint32_t stepsPerTurn = defaultStepsPerTurn) noexcept
      : stepsPerTurn_(stepsPerTurn) {}
  ~Executor() = default;

 private:
  std::atomic<std::uint32_t> stepsPerTurn_;
};

}  // namespace tapestry
#pragma GCC visibility pop
