// Defines AsioHandlerScope, under which runs go on inside a handler of Asio, and PostedTask, a handler that
// executes a task.
#pragma once

#include <utility>

#include "tapestry/continuation/detail/engine/thread_state.hpp"
#include "tapestry/continuation/executor.hpp"

namespace tapestry::detail {

/// While it stands, what becomes ready on this thread is executed in a loop of its own, also where the
/// handler is called on top of another loop (a step that polls an io_context, a dispatch into a strand): it
/// is done before the handler returns, and so before another thread may enter the handler's strand. There
/// blockingAwait is refused: the thread that runs the context would not.
class AsioHandlerScope {
 public:
  /// What is driven under it is meant for the executor; `isHere` says whether it is one of that's handlers. A
  /// handler that is destroyed uncalled may wait.
  explicit AsioHandlerScope(const Executor& executor, bool isHere, bool mustNotWait = true) noexcept;
  AsioHandlerScope(const AsioHandlerScope&) = delete;
  AsioHandlerScope& operator=(const AsioHandlerScope&) = delete;
  ~AsioHandlerScope();

  /// Executes the task within the executor's handler that this thread is in.
  static void execute(Task& task, const Executor& executor) noexcept;

  /// Whether this thread's innermost loop is in a handler of the executor.
  static bool isIn(const Executor& executor) noexcept;

  /// The executor is being destroyed: another one may come to lie at its address.
  static void forget(const Executor& executor) noexcept;

 private:
  const ReadyTasks ready_;
  const Executor* const executor_;
  const bool mustNotWait_;
};

/// Executes the task as a handler of the executor. A handler that is destroyed before it was called refuses
/// the task.
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
