#include <atomic>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <utility>

#include "tapestry/continuation/detail/engine/launch.hpp"
#include "tapestry/continuation/detail/engine/ready.hpp"
#include "task_queue.hpp"

namespace tapestry::detail {

namespace {

/// This thread's innermost loop.
constinit thread_local const BlockingLoop* innermostLoop = nullptr;

}  // namespace

/// The threads of one call of blockingAwait: the workers, and the thread that waits for them. The workers
/// execute the work that a worker has begun; the caller helps with work that waits for them while it drives
/// its loop.
class Crew final : public Executor {
 public:
  Crew(const BlockingLoop& caller, Executor& workers) noexcept
      : Executor(workers.stepsPerTurn()), caller_(caller), workers_(workers.core()) {}

  bool post(Task& task) noexcept override { return workers_.post(task); }
  bool isHere() const noexcept override { return workers_.isHere(); }
  bool isHelpedHere() const noexcept override { return innermostLoop == &caller_ || isHere(); }
  void executeHere(Task& task) noexcept override { workers_.executeHere(task); }
  bool offer(Task& task) noexcept override { return workers_.offer(task); }
  bool idle() const noexcept override { return workers_.idle(); }
  Executor& lasting() noexcept override { return workers_.lasting(); }
  bool othersWaitHere() const noexcept override;

 private:
  const BlockingLoop& caller_;
  Executor& workers_;
};

/// The executor of the runs that a run on a BlockingLoop starts and that may outlive the loop. The tasks are
/// executed on the loop's thread and, after the loop has ended, on the thread that posts them.
class LoopGuests final : public Node, public Executor {
 public:
  explicit LoopGuests(Executor& loop) noexcept : loop_(&loop) {}

  bool post(Task& task) noexcept override {
    {
      const SpinGuard guard(lock_);
      if (loop_) return loop_->post(task);
    }
    drive(task);
    return true;
  }
  bool isHere() const noexcept override {
    const SpinGuard guard(lock_);
    return !loop_ || loop_->isHere();
  }
  void hold() noexcept override { retain(); }
  void letGo() noexcept override { release(); }

  /// Called when the loop accepts no more tasks.
  void leaveLoop() noexcept {
    const SpinGuard guard(lock_);
    loop_ = nullptr;
  }

 private:
  mutable SpinLock lock_;
  Executor* loop_;
};

class BlockingLoop final : public Executor {
 public:
  /// The thread works for one run only, which never makes way.
  explicit BlockingLoop(Executor* workers) noexcept : Executor(0) {
    if (workers) crew_.emplace(*this, *workers);
  }

  /// Null without workers.
  Executor* crew() noexcept { return crew_ ? &*crew_ : nullptr; }

  bool post(Task& task) noexcept override {
    const std::lock_guard lock(mutex_);
    add(task);
    return true;
  }

  /// The thread that waits for its workers is one of them.
  bool offer(Task& task) noexcept override {
    const std::lock_guard lock(mutex_);
    if (!waits_ || !tasks_.empty()) return false;
    add(task);
    return true;
  }
  bool idle() const noexcept override { return waits_.load(std::memory_order_relaxed); }

  bool isHere() const noexcept override { return thread_ == &threadState; }
  Executor& lasting() noexcept override { return Executor::inlined(); }
  /// Several branches of the run may call it concurrently, on any threads.
  Executor& guests() noexcept override {
    LoopGuests* guests = guests_.load(std::memory_order_acquire);
    if (!guests) {
      auto made = makeRef<LoopGuests>(*this);
      if (guests_.compare_exchange_strong(guests, made.get())) guests = made.detach();
    }
    return *guests;
  }

  void end() noexcept {
    if (isHere()) {
      endedHere_ = true;
      return;
    }
    const std::lock_guard lock(mutex_);
    ended_.store(true, std::memory_order_relaxed);
    // under the lock: the waiting thread destroys this object as soon as it sees the end
    if (changed_) changed_->notify_one();
  }

  bool hasTasks() const noexcept { return !tasks_.empty() || hasReady(); }

  /// Executes ready and posted tasks until end() has been called.
  void drive() {
    if (!endedHere_ || hasTasks()) driveTasks();
    if (guests_.load(std::memory_order_acquire)) dismissGuests();
  }

 private:
  void driveTasks() {
    for (;;) {
      Task* task = popQueued();
      if (!task && !endedHere_) task = await();
      if (!task) break;
      task->execute();
    }
  }

  void dismissGuests() {
    LoopGuests* const guests = guests_.load(std::memory_order_acquire);
    guests->leaveLoop();
    while (Task* task = popQueued()) task->execute();
    guests->release();
  }

  /// Called with the lock held.
  void add(Task& task) noexcept {
    tasks_.push(task);
    if (changed_) changed_->notify_one();
  }

  /// Null if there is no task. This thread's own run comes before runs that it helps with.
  Task* popQueued() noexcept {
    Task* const task = popPosted();
    return task ? task : popReady();
  }

  /// Null where there is none.
  Task* popPosted() noexcept {
    if (tasks_.empty()) return nullptr;
    const std::lock_guard lock(mutex_);
    return tasks_.pop();
  }

  /// Only a hint if the lock is not held.
  bool hasNews() const noexcept { return !tasks_.empty() || ended_.load(std::memory_order_relaxed); }

  /// Waits for a task; null at the end.
  Task* await() {
    waits_.store(crew_.has_value(), std::memory_order_relaxed);
    // workers often finish their work for this thread before it could fall asleep and be woken
    if (crew_) static_cast<void>(stayAwakeUntil(awakeFor, [this] { return hasNews(); }));
    std::unique_lock lock(mutex_);
    if (!hasNews()) {
      if (!changed_) changed_.emplace();
      changed_->wait(lock, [this] { return hasNews(); });
    }
    waits_.store(false, std::memory_order_relaxed);
    return tasks_.pop();
  }

  std::optional<Crew> crew_;
  const void* const thread_ = &threadState;
  std::atomic<bool> waits_{false};  ///< whether it has workers and waits for them
  std::mutex mutex_;
  std::optional<std::condition_variable> changed_;  ///< created when this thread first waits
  TaskQueue tasks_;
  std::atomic<LoopGuests*> guests_{nullptr};  ///< null before the first call of guests(); holds a reference
  std::atomic<bool> ended_{false};
  bool endedHere_ = false;
};

bool Crew::othersWaitHere() const noexcept {
  return innermostLoop == &caller_ ? caller_.hasTasks() : workers_.othersWaitHere();
}

void BlockingRun::await(const void* program, void (*step)(const void* program, Run& run) noexcept,
                        Executor* workers, const StopToken& stop, const Location& location) {
  if (threadState.mustNotWait)
    throw std::logic_error(
        "tapestry::blockingAwait: called on a thread that other runs need, expected another thread "
        "(use flatMap, or blocking)");
  BlockingLoop loop(workers);
  const Environment environment(loop.crew(), stop.state());
  begin(environment, loop);
  loop_ = &loop;
  {
    const Interlude interlude(true);
    const BlockingLoop* const outerLoop = std::exchange(innermostLoop, &loop);
    enterTracked(*this, "blockingAwait", location);
    step(program, *this);
    if (isOver())  // as a short program is after its first step
      ended();
    else
      execute();
    loop.drive();
    innermostLoop = outerLoop;
  }
  static_cast<void>(takeHold());  // may be a hold of the loop, which the run outlives
  if (!stopping()) return;
  const std::exception_ptr error = takeStop().toException();
  if (!error) throw Cancelled();
  std::rethrow_exception(error);
}

void BlockingRun::ended() noexcept { loop_->end(); }

}  // namespace tapestry::detail
