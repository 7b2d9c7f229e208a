// Defines Executor, the interface to whatever runs tasks: a thread pool, an event loop, the caller's thread.
#pragma once

#include <atomic>
#include <cstdint>

namespace tapestry {

class Executor;

namespace detail {

/// Something that is executed once; links itself into the queue that it waits in.
class Task {
 public:
  virtual void execute() noexcept = 0;
  /// Takes the place of execute() where an executor took the task and is gone before its turn came.
  virtual void refuse() noexcept { execute(); }
  Task* nextTask = nullptr;

 protected:
  ~Task() = default;
};

class RunGroup;

}  // namespace detail

/// Where runs do their work. Programs refer to an executor, which must exist when a run comes to it. What a
/// run then needs of a ThreadPool or an AsioExecutor lives as long as the run: these may be destroyed before,
/// and refuse it then. An executor of one's own must outlive its runs, unless it has a core().
///
/// The tasks that an executor is given are the library's: an executor of one's own executes each once, by
/// extend::drive (extend/task.hpp), or, where it has taken a task and never will, calls the task's refuse().
/// docs/write_your_own.md shows one.
class Executor {
 public:
  /// The steps, such as `flatMap` takes, after which a run makes way for others, unless set otherwise.
  static constexpr std::uint32_t defaultStepsPerTurn = 1024;

  /// Arranges for the task to be executed, later and on a thread of this executor. False if it was stopped:
  /// the task then stays the caller's. Thread-safe.
  [[nodiscard]] virtual bool post(detail::Task& task) noexcept = 0;

  /// Whether the calling thread is one of this executor's, so that work can go on in place.
  virtual bool isHere() const noexcept = 0;

  /// Whether the calling thread may go on with what waits for this executor: it is one of its threads, or
  /// waits for these.
  virtual bool isHelpedHere() const noexcept { return isHere(); }

  /// Executes the task on the calling thread. Precondition: isHere().
  virtual void executeHere(detail::Task& task) noexcept;

  /// As post, but only if a worker is idle; false means that the caller may as well do the work itself.
  [[nodiscard]] virtual bool offer(detail::Task&) noexcept { return false; }
  /// A hint, cheap and possibly late, on whether an offer would be taken.
  virtual bool idle() const noexcept { return false; }

  /// The runs that are started on this executor and that it waits for before it goes; null where it does not.
  virtual detail::RunGroup* runs() noexcept { return nullptr; }

  /// Where a run on this executor, or with these workers, starts work that may outlive it.
  virtual Executor& lasting() noexcept { return *this; }

  /// Where a run goes on that was started by a run on this executor and may outlive it: here as long as this
  /// executor lasts. A later user holds it.
  virtual Executor& guests() noexcept { return lasting(); }

  /// What runs refer to in place of this object; it lives as long as this object, or a run that holds it.
  virtual Executor& core() noexcept { return *this; }
  /// A core counts its holders. An executor of Asio has work, which its context waits for, meanwhile.
  virtual void hold() noexcept {}
  /// Whether it is work to be held, so that a run that has moved elsewhere lets go at once.
  virtual bool worksWhileHeld() const noexcept { return false; }
  /// Once for each hold(); afterwards a core may be gone.
  virtual void letGo() noexcept {}

  /// After so many steps a run goes behind what waits for its executor; 0 for never. Counted for each thread,
  /// and from its next turn on. Thread-safe.
  void setStepsPerTurn(std::uint32_t steps) noexcept {
    // relaxed: a turn may be of the old length
    core().stepsPerTurn_.store(steps, std::memory_order_relaxed);
  }
  std::uint32_t stepsPerTurn() const noexcept {
    // relaxed: as above
    return const_cast<Executor*>(this)->core().stepsPerTurn_.load(std::memory_order_relaxed);
  }
  /// Whether others may wait for the calling thread, so that a run whose turn is over makes way for them.
  virtual bool othersWaitHere() const noexcept { return isHere(); }

  /// The executor that stays on whatever thread it is called on; it never refuses.
  static Executor& inlined() noexcept;

 protected:
  constexpr explicit Executor(std::uint32_t stepsPerTurn = defaultStepsPerTurn) noexcept
      : stepsPerTurn_(stepsPerTurn) {}
  ~Executor() = default;

 private:
  std::atomic<std::uint32_t> stepsPerTurn_;
};

}  // namespace tapestry
