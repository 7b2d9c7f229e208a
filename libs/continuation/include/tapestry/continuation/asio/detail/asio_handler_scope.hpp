// Defines AsioHandlerScope, in which runs continue inside a handler of Asio, and PostedTask, a handler that
// executes a task.
#pragma once

#include <cstdint>
#include <utility>

#include "tapestry/continuation/detail/engine/thread_state.hpp"
#include "tapestry/continuation/executor.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// During its lifetime, tasks that become ready on this thread are executed in a loop of their own, even if
/// the handler is called on top of another loop (a step that polls an io_context, a dispatch into a strand):
/// they are done before the handler returns, and so before another thread may enter the handler's strand.
/// blockingAwait is refused in it, since the thread would not run the context meanwhile.
class AsioHandlerScope {
 public:
  /// The tasks that are driven in it are meant for the executor; `isHere` says whether the handler is the
  /// executor's. `mustNotWait` is false for a handler that is destroyed uncalled, in which blockingAwait is
  /// allowed.
  explicit AsioHandlerScope(const Executor& executor, bool isHere, bool mustNotWait = true) noexcept;
  AsioHandlerScope(const AsioHandlerScope&) = delete;
  AsioHandlerScope& operator=(const AsioHandlerScope&) = delete;
  ~AsioHandlerScope();

  /// Executes the task in the handler of the executor that this thread is in.
  static void execute(Task& task, const Executor& executor) noexcept;

  /// The number of an executor that is being constructed, greater than the numbers before.
  static std::uint64_t nextNumber() noexcept;

  /// Returns whether this thread's innermost loop is in a handler of the executor, to which nextNumber has
  /// given the number. (The loop may have begun in a handler of an earlier executor at the same address.)
  static bool isIn(const Executor& executor, std::uint64_t number) noexcept;

 private:
  const ReadyTasks ready_;
  const Executor* const executor_;  ///< of the loop around this scope; so is lastNumber_
  const std::uint64_t lastNumber_;
  const bool mustNotWait_;
};

/// Executes the task as a handler of the executor. If the handler is destroyed before it was called, it
/// refuses the task.
class PostedTask {
 public:
  PostedTask(Task& task, const Executor& executor) noexcept : task_(&task), executor_(&executor) {}
  PostedTask(PostedTask&& other) noexcept
      : task_(std::exchange(other.task_, nullptr)), executor_(other.executor_) {}
  PostedTask& operator=(PostedTask&&) = delete;
  ~PostedTask() {
    if (task_) task_->refuse();
  }

  void operator()() noexcept;

 private:
  Task* task_;
  const Executor* executor_;
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
