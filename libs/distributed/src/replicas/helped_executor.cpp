#include "replicas/helped_executor.hpp"

#include <algorithm>
#include <memory>

#include "tapestry/continuation/blocking.hpp"

namespace tapestry::detail {

/// Executes one of the tasks, unless helping threads have executed all.
class HelpedExecutor::Ticket final : public Task {
 public:
  explicit Ticket(HelpedExecutor& executor) noexcept : executor_(executor) {}

  void execute() noexcept override {
    Task* const task = executor_.take();
    delete this;
    if (task) extend::drive(*task);
  }
  void refuse() noexcept override {
    Task* const task = executor_.take();
    delete this;
    if (task) task->refuse();
  }

 private:
  HelpedExecutor& executor_;
};

HelpedExecutor& HelpedExecutor::instance() noexcept {
  static auto* const executor = new HelpedExecutor;  // outlives all threads
  return *executor;
}

bool HelpedExecutor::post(Task& task) noexcept {
  {
    const std::lock_guard lock(mutex_);
    tasks_.push_back(&task);
  }
  auto ticket = std::make_unique<Ticket>(*this);
  if (!blockingThreads().post(*ticket)) return !remove(task);
  static_cast<void>(ticket.release());
  return true;
}

void HelpedExecutor::help() noexcept {
  std::size_t count = 0;
  {
    const std::lock_guard lock(mutex_);
    count = tasks_.size();
  }
  for (; count > 0; --count) {
    Task* const task = take();
    if (!task) return;
    task->execute();  // in place, also within a task of the thread
  }
}

Task* HelpedExecutor::take() noexcept {
  const std::lock_guard lock(mutex_);
  if (tasks_.empty()) return nullptr;
  Task* const task = tasks_.front();
  tasks_.pop_front();
  return task;
}

bool HelpedExecutor::remove(Task& task) noexcept {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(tasks_, &task);
  if (found == tasks_.end()) return false;
  tasks_.erase(found);
  return true;
}

}  // namespace tapestry::detail
