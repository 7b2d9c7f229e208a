// Defines Executor, the interface to whatever runs tasks: a thread pool, an event loop, the caller's thread.
#pragma once

#include "tapestry/continuation/detail/node.hpp"

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

/// An executor, and what keeps it; null where nothing needs to.
struct KeptExecutor {
  Executor* executor;
  Ref<const Node> keeper;
};

}  // namespace detail

/// Where runs do their work. ThreadPool is one; programs refer to an executor, which must outlive their runs.
/// The tasks that it is given are the library's: an executor of one's own executes each once, by
/// detail::drive (detail/ready.hpp), or, where it has taken a task and never will, calls the task's refuse().
class Executor {
 public:
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
  /// executor lasts.
  virtual detail::KeptExecutor keptExecutor() noexcept { return {&lasting(), nullptr}; }

  /// The executor that stays on whatever thread it is called on; it never refuses.
  static Executor& inlined() noexcept;

 protected:
  ~Executor() = default;
};

}  // namespace tapestry
