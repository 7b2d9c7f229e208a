// Defines TaskQueue, tasks that wait for a thread, first come first served.
#pragma once

#include <atomic>

#include "tapestry/continuation/executor.hpp"

namespace tapestry::detail {

/// Changed with its owner's lock held.
class TaskQueue {
 public:
  /// A hint where the lock is not held.
  bool empty() const noexcept { return !head_.load(std::memory_order_relaxed); }

  void push(Task& task) noexcept {
    task.nextTask = nullptr;
    if (empty())
      setHead(&task);
    else
      tail_->nextTask = &task;
    tail_ = &task;
  }

  /// Null where there is none.
  Task* pop() noexcept {
    Task* const task = head_.load(std::memory_order_relaxed);
    if (task) setHead(task->nextTask);
    return task;
  }

 private:
  void setHead(Task* task) noexcept { head_.store(task, std::memory_order_relaxed); }

  std::atomic<Task*> head_{nullptr};
  Task* tail_ = nullptr;  ///< of no meaning where it is empty
};

}  // namespace tapestry::detail
