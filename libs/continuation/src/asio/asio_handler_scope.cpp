#include "tapestry/continuation/detail/asio_handler_scope.hpp"

#include "tapestry/continuation/detail/ready.hpp"

namespace tapestry::detail {

namespace {

/// The executor in whose handler this thread's innermost loop began; null where that is not known.
constinit thread_local const Executor* loopExecutor = nullptr;

}  // namespace

AsioHandlerScope::AsioHandlerScope(const Executor& executor) noexcept
    : ready_(std::exchange(threadState.ready, ReadyTasks())), executor_(loopExecutor) {
  loopExecutor = executor.isHere() ? &executor : nullptr;
}

AsioHandlerScope::~AsioHandlerScope() {
  loopExecutor = executor_;
  threadState.ready = ready_;
}

bool AsioHandlerScope::staysIn(const Executor& executor) noexcept {
  return !threadState.ready.driving || loopExecutor == &executor;
}

void PostedTask::operator()() noexcept {
  const AsioHandlerScope scope(*executor_);
  drive(*std::exchange(task_, nullptr));
}

}  // namespace tapestry::detail
