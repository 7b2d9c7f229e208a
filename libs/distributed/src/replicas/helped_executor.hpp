// Defines HelpedExecutor, whose tasks are executed by threads for blocking calls, or by threads that help.
#pragma once

#include <deque>
#include <mutex>

#include "tapestry/continuation/extend/task.hpp"

namespace tapestry::detail {

/// For short tasks beside long computations: a thread that is woken for a task may wait for milliseconds
/// until a computing thread makes way, while the computing threads have moments in which they can help.
class HelpedExecutor final : public Executor {
 public:
  /// Returns the only instance of the process.
  static HelpedExecutor& instance() noexcept;

  bool post(Task& task) noexcept override;
  /// False, so that nothing that a helping thread makes ready waits for the end of its computation.
  bool isHere() const noexcept override { return false; }

  /// Executes the tasks that wait now, on the calling thread.
  void help() noexcept;

 private:
  class Ticket;
  Task* take() noexcept;
  /// Returns whether the task was still there.
  bool remove(Task& task) noexcept;

  std::mutex mutex_;
  std::deque<Task*> tasks_;  ///< guarded by mutex_
};

}  // namespace tapestry::detail
