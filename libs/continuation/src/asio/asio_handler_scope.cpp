#include "tapestry/continuation/asio/detail/asio_handler_scope.hpp"

#include <atomic>

#include "tapestry/continuation/detail/engine/ready.hpp"

namespace tapestry::detail {

namespace {

/// The last number that was given to an executor. Relaxed accesses suffice: an executor is constructed before
/// the loops in its handlers begin, and after the loops of an earlier executor at its address have begun.
constinit std::atomic<std::uint64_t> lastNumber{0};

/// The executor in whose handler this thread's innermost loop began, null if it is not known, and the last
/// number at that time.
constinit thread_local const Executor* loopExecutor = nullptr;
constinit thread_local std::uint64_t loopNumber = 0;

}  // namespace

AsioHandlerScope::AsioHandlerScope(const Executor& executor, bool isHere, bool mustNotWait) noexcept
    : ready_(std::exchange(threadState.ready, ReadyTasks())),
      executor_(loopExecutor),
      lastNumber_(loopNumber),
      mustNotWait_(threadState.mustNotWait) {
  threadState.mustNotWait |= mustNotWait;
  loopExecutor = isHere ? &executor : nullptr;
  loopNumber = lastNumber.load(std::memory_order_relaxed);
  beginTurn(executor);
}

AsioHandlerScope::~AsioHandlerScope() {
  loopExecutor = executor_;
  loopNumber = lastNumber_;
  threadState.mustNotWait = mustNotWait_;
  threadState.ready = ready_;
}

void AsioHandlerScope::execute(Task& task, const Executor& executor) noexcept {
  // the thread's current loop already has such a scope
  if (threadState.ready.driving) return pushWoken(task);
  const AsioHandlerScope scope(executor, true);
  drive(task);
}

std::uint64_t AsioHandlerScope::nextNumber() noexcept {
  return lastNumber.fetch_add(1, std::memory_order_relaxed) + 1;
}

bool AsioHandlerScope::isIn(const Executor& executor, std::uint64_t number) noexcept {
  return threadState.ready.driving && loopExecutor == &executor && number <= loopNumber;
}

void PostedTask::operator()() noexcept {
  const AsioHandlerScope scope(*executor_, true);
  drive(*std::exchange(task_, nullptr));
}

}  // namespace tapestry::detail
