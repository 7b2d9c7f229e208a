// Defines TaskQueue, a first-in, first-out queue of tasks that wait for a thread.
#pragma once

#include <atomic>

#include "tapestry/continuation/executor.hpp"

namespace tapestry::detail {

/// To be changed only with the owner's lock held.
class TaskQueue {
 public:
  /// Only a hint if the lock is not held.
  bool empty() const noexcept { return !head_.load(std::memory_order_relaxed); }

  void push(Task& task) noexcept {
    task.nextTask = nullptr;
    if (empty())
      setHead(&task);
    else
      tail_->nextTask = &task;
    tail_ = &task;
  }

  /// Null if there is no task.
  Task* pop() noexcept {
    Task* const task = head_.load(std::memory_order_relaxed);
    if (task) setHead(task->nextTask);
    return task;
  }

 private:
  void setHead(Task* task) noexcept { head_.store(task, std::memory_order_relaxed); }

  std::atomic<Task*> head_{nullptr};
  Task* tail_ = nullptr;  ///< undefined while the queue is empty
};

}  // namespace tapestry::detail
