#include <condition_variable>
#include <mutex>
#include <stdexcept>

#include "tapestry/continuation/detail/launch.hpp"
#include "tapestry/continuation/detail/ready.hpp"

namespace tapestry::detail {

class BlockingLoop final : public Executor {
 public:
  bool post(Task& task) noexcept override {
    const std::lock_guard lock(mutex_);
    task.nextTask = nullptr;
    (head_ ? tail_->nextTask : head_) = &task;
    tail_ = &task;
    changed_.notify_one();
    return true;
  }

  bool isHere() const noexcept override { return thread_ == &threadState; }

  void end() noexcept {
    if (isHere()) {
      endedHere_ = true;
      return;
    }
    const std::lock_guard lock(mutex_);
    ended_ = true;
    // under the lock: the waiting thread destroys this object as soon as it sees the end
    changed_.notify_one();
  }

  /// Executes what is ready or posted until end() has been called.
  void drive() {
    for (;;) {
      Task* task = popReady();
      if (!task && !take(task)) return;
      task->execute();
    }
  }

 private:
  /// Waits for a task; false at the end.
  bool take(Task*& task) {
    if (endedHere_) return false;
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return head_ || ended_; });
    if (!head_) return false;
    task = head_;
    head_ = head_->nextTask;
    return true;
  }

  const void* const thread_ = &threadState;
  std::mutex mutex_;
  std::condition_variable changed_;
  Task* head_ = nullptr;
  Task* tail_ = nullptr;
  bool ended_ = false;
  bool endedHere_ = false;
};

void BlockingRun::checkThread() {
  if (threadState.worker)
    throw std::logic_error(
        "tapestry::blockingAwait: called on a thread pool's own worker, expected another thread (use "
        "flatMap)");
}

void BlockingRun::await(Executor* workers, const StopToken& stop) {
  checkThread();
  BlockingLoop loop;
  loop_ = &loop;
  Run run(makeRef<const Environment>(loop, workers, stop.state()), *this);
  // what surrounds this call waits for it: neither its tasks nor its dead nodes are this loop's business
  const ReadyTasks outer = std::exchange(threadState.ready, ReadyTasks{.driving = true});
  const Graveyard graveyard = std::exchange(threadState.graveyard, Graveyard());
  DirectBlock* const block = std::exchange(threadState.block, nullptr);
  start(run);
  run.execute();
  loop.drive();
  threadState.block = block;
  threadState.graveyard = graveyard;
  threadState.ready = outer;
}

void BlockingRun::receive(Run& run) noexcept {
  takeFrom(run);
  loop_->end();
}

}  // namespace tapestry::detail
