// Defines TaskQueue, a first-in, first-out queue of tasks that wait for a thread, and stayAwakeUntil, with
// which a thread without work waits for work before it sleeps.
#pragma once

#include <atomic>
#include <chrono>

#include "tapestry/continuation/executor.hpp"
#include "tapestry/continuation/extend/spin_wait.hpp"

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

/// The time for which a thread that works with others looks for work before it sleeps: waking it takes a
/// system call of the other thread, and often longer than the work (docs/decisions/awake-threads.md).
inline constexpr std::chrono::microseconds awakeFor(100);
/// The same for a thread that has helped another thread, which mostly needs help again after its own part of
/// the work.
inline constexpr std::chrono::microseconds awakeAfterHelp(500);

/// Waits until found() or the end of the time; returns whether found() was true.
template <class F>
bool stayAwakeUntil(std::chrono::microseconds time, const F& found) noexcept {
  for (extend::SpinWait wait; !found();)
    if (wait.pause() >= time) return false;
  return true;
}

}  // namespace tapestry::detail
