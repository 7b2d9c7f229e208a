// Defines executors for tests: QueueExecutor, which works when it is told to, and RefusingExecutor and
// BusyWorkers, which never do.
#pragma once

#include <atomic>
#include <deque>

#include "tapestry/continuation/detail/engine/ready.hpp"
#include "tapestry/continuation/executor.hpp"

namespace tapestry::test {

/// Keeps the tasks until `work()`; once stopped it takes no more. For one thread, except for `stop()`.
class QueueExecutor final : public Executor {
 public:
  bool post(detail::Task& task) noexcept override {
    if (stopped_) return false;
    tasks_.push_back(&task);
    return true;
  }
  bool isHere() const noexcept override { return working_; }

  void stop() noexcept { stopped_ = true; }

  std::size_t waiting() const noexcept { return tasks_.size(); }

  /// Executes tasks until none is left; the number of them.
  int work() {
    int count = 0;
    working_ = true;
    for (; !tasks_.empty(); ++count) {
      detail::Task* task = tasks_.front();
      tasks_.pop_front();
      detail::beginTurn(*this);  // each task has its own turn
      detail::drive(*task);
    }
    working_ = false;
    return count;
  }

 private:
  std::deque<detail::Task*> tasks_;
  std::atomic<bool> stopped_{false};
  bool working_ = false;
};

/// An executor that was stopped.
class RefusingExecutor final : public Executor {
 public:
  bool post(detail::Task&) noexcept override { return false; }
  bool isHere() const noexcept override { return false; }
};

/// Workers that look idle, and refuse what they are offered.
class BusyWorkers final : public Executor {
 public:
  bool post(detail::Task&) noexcept override { return false; }
  bool isHere() const noexcept override { return false; }
  bool idle() const noexcept override { return true; }
  bool offer(detail::Task&) noexcept override {
    ++offers;
    return false;
  }

  int offers = 0;
};

}  // namespace tapestry::test
