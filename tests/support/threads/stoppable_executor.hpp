// Defines StoppableExecutor, an executor that refuses work from some moment on.
#pragma once

#include <atomic>
#include <deque>

#include "tapestry/continuation/detail/engine/ready.hpp"
#include "tapestry/continuation/executor.hpp"

namespace tapestry::test {

/// Keeps tasks until `work()`; once stopped it takes no more. For one thread, except for `stop()`.
class StoppableExecutor final : public Executor {
 public:
  bool post(detail::Task& task) noexcept override {
    if (stopped_) return false;
    tasks_.push_back(&task);
    return true;
  }
  bool isHere() const noexcept override { return working_; }

  void stop() noexcept { stopped_ = true; }

  void work() {
    working_ = true;
    while (!tasks_.empty()) {
      detail::Task* task = tasks_.front();
      tasks_.pop_front();
      detail::beginTurn(*this);  // each task has its own turn
      detail::drive(*task);
    }
    working_ = false;
  }

 private:
  std::deque<detail::Task*> tasks_;
  std::atomic<bool> stopped_{false};
  bool working_ = false;
};

}  // namespace tapestry::test
