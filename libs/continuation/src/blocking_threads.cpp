#include <chrono>
#include <condition_variable>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>

#include "tapestry/continuation/blocking.hpp"
#include "tapestry/continuation/detail/engine/ready.hpp"
#include "task_queue.hpp"

namespace tapestry {

namespace {

class BlockingThreads final : public Executor {
 public:
  /// A run never makes way, since each run has a separate thread.
  BlockingThreads() noexcept : Executor(0) {}

  bool post(detail::Task& task) noexcept override {
    const std::lock_guard lock(mutex_);
    if (waiting_ >= idle_ && !addThread()) return false;
    tasks_.push(task);
    ++waiting_;
    changed_.notify_one();
    return true;
  }

  bool isHere() const noexcept override { return detail::threadState.worker == this; }

 private:
  /// Returns false if no thread can be started: the task must not wait for a busy thread, which may itself
  /// wait for the task.
  bool addThread() noexcept {
    try {
      std::thread([this] { work(); }).detach();
      return true;
    } catch (const std::system_error&) {
      return false;
    } catch (const std::bad_alloc&) {
      return false;
    }
  }

  void work() {
    detail::threadState.worker = this;
    std::unique_lock lock(mutex_);
    for (;;) {
      ++idle_;
      const bool found = changed_.wait_for(lock, std::chrono::seconds(1), [this] { return !tasks_.empty(); });
      --idle_;
      if (!found) return;
      detail::Task& task = *tasks_.pop();
      --waiting_;
      lock.unlock();
      detail::drive(task);
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  detail::TaskQueue tasks_;
  int waiting_ = 0;  ///< tasks that no thread has taken
  int idle_ = 0;
};

}  // namespace

Executor& blockingThreads() noexcept {
  // never destroyed: its threads may outlive the end of main
  static BlockingThreads* const threads = new BlockingThreads;
  return *threads;
}

}  // namespace tapestry
