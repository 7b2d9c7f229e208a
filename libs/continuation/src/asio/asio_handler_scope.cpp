#include "tapestry/continuation/asio/detail/asio_handler_scope.hpp"

#include "tapestry/continuation/detail/engine/ready.hpp"

namespace tapestry::detail {

namespace {

/// The executor in whose handler this thread's innermost loop began; null if it is not known.
constinit thread_local const Executor* loopExecutor = nullptr;

}  // namespace

AsioHandlerScope::AsioHandlerScope(const Executor& executor, bool isHere, bool mustNotWait) noexcept
    : ready_(std::exchange(threadState.ready, ReadyTasks())),
      executor_(loopExecutor),
      mustNotWait_(threadState.mustNotWait) {
  threadState.mustNotWait |= mustNotWait;
  loopExecutor = isHere ? &executor : nullptr;
  beginTurn(executor);
}

AsioHandlerScope::~AsioHandlerScope() {
  loopExecutor = executor_;
  threadState.mustNotWait = mustNotWait_;
  threadState.ready = ready_;
}

void AsioHandlerScope::execute(Task& task, const Executor& executor) noexcept {
  // the thread's current loop already has such a scope
  if (threadState.ready.driving) return pushWoken(task);
  const AsioHandlerScope scope(executor, true);
  drive(task);
}

bool AsioHandlerScope::isIn(const Executor& executor) noexcept {
  return threadState.ready.driving && loopExecutor == &executor;
}

void AsioHandlerScope::forget(const Executor& executor) noexcept {
  if (loopExecutor == &executor) loopExecutor = nullptr;
}

void PostedTask::operator()() noexcept {
  const AsioHandlerScope scope(*executor_, true);
  drive(*std::exchange(task_, nullptr));
}

}  // namespace tapestry::detail
