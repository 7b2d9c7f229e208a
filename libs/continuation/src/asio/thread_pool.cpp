#include "tapestry/continuation/asio/thread_pool.hpp"

#include <algorithm>
#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <chrono>
#include <cstdio>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "../task_queue.hpp"
#include "tapestry/continuation/detail/atomics.hpp"
#include "tapestry/continuation/detail/engine/ready.hpp"
#include "tapestry/continuation/detail/processor.hpp"
#include "tapestry/continuation/parallel/detail/run_group.hpp"

namespace tapestry {

/// The core of the pool, which lives as long as a run holds it.
class ThreadPool::State final : public detail::Node, public Executor {
 public:
  explicit State(unsigned threads)
      : size(threads),
        idle_(static_cast<int>(threads)),
        asleep_(static_cast<int>(threads)),
        context_(static_cast<int>(threads)) {
    startThreads();
  }

  /// Waits for the runs of the pool and for its tasks.
  void join() {
    runs_.stopAndWait();
    lock_.lock();
    closed_ = true;
    lock_.unlock();
    // A thread in add() may still post to the context: it alone may wake a worker for its task.
    while (waking_.load() != 0) std::this_thread::yield();
    joinThreads();
    while (waking_.load() != 0) std::this_thread::yield();
  }

  bool isHere() const noexcept override { return detail::threadState.worker == this; }
  bool idle() const noexcept override { return idle_.load(std::memory_order_relaxed) > 0; }
  /// Threads without work take new tasks, but not the runs and branches that wait on this thread. A pool that
  /// is being destroyed refuses the run, which then stops.
  bool othersWaitHere() const noexcept override {
    // relaxed: a run may take one more turn
    return isHere() && (closed_.load(std::memory_order_relaxed) || !tasks_.empty() || detail::hasReady());
  }

  bool post(detail::Task& task) noexcept override {
    lock_.lock();
    return addUnless(closed_, task, {});
  }
  bool offer(detail::Task& task) noexcept override {
    if (!idle()) return false;
    const Helped helped{&detail::threadState, detail::currentProcessor()};
    lock_.lock();
    return addUnless(closed_ || !idle(), task, helped);
  }

  detail::RunGroup* runs() noexcept override { return &runs_; }
  void hold() noexcept override { retain(); }
  void letGo() noexcept override { release(); }

  const unsigned size;

 private:
  void startThreads() {
    try {
      threads_.reserve(size);
      while (threads_.size() < size) threads_.emplace_back([this] { context_.run(); });
    } catch (const std::system_error& error) {
      refuseSize(error.code());
    } catch (const std::bad_alloc&) {
      refuseSize(std::make_error_code(std::errc::not_enough_memory));
    }
  }

  [[noreturn]] void refuseSize(std::error_code reason) {
    const auto made = std::to_string(threads_.size());
    joinThreads();
    throw std::system_error(reason, "tapestry::ThreadPool: the system gives no more threads, got " + made +
                                        ", expected " + std::to_string(size));
  }

  void joinThreads() noexcept {
    work_.reset();
    for (std::thread& thread : threads_) thread.join();
  }

  /// The thread that continues with its work while another thread does the task; none if the task was posted.
  struct Helped {
    const void* thread = nullptr;
    int processor = -1;
  };

  /// Unlocks; returns whether the task was added.
  bool addUnless(bool refused, detail::Task& task, const Helped& helped) noexcept {
    if (refused)
      lock_.unlock();
    else
      add(task, helped);
    return !refused;
  }

  /// Wakes a thread if the awake threads have enough to do. Unlocks: then the pool may be destroyed, unless a
  /// thread is to be woken.
  void add(detail::Task& task, const Helped& helped) {
    if (helped.thread || tasks_.empty()) helped_ = helped;
    tasks_.push(task);
    const int idle = countIdle(-1);
    const bool wakes = asleep_ > std::max(idle, 0);
    if (!wakes) return lock_.unlock();
    --asleep_;
    waking_.fetch_add(1);
    lock_.unlock();
    boost::asio::post(context_, [this] { work(); });
    waking_.fetch_sub(1);
  }

  /// The loop of a thread that has been woken, until it has nothing to do.
  void work() {
    auto& thread = detail::threadState;
    thread.worker = this;
    thread.mustNotWait = true;
    Helped helped;
    lock_.lock();
    do {
      while (detail::Task* const task = tasks_.pop()) {
        helped = helped_;
        lock_.unlock();
        makeWayFor(helped);
        detail::beginTurn(*this);
        detail::drive(*task);
        lock_.lock();
        countIdle(1);
      }
    } while (stayAwake(helped.thread ? detail::awakeAfterHelp : detail::awakeFor));
    ++asleep_;
    lock_.unlock();
  }

  /// A thread that is woken to help may be on the processor of the helped thread, even if other processors
  /// are free; the two would share it until the kernel moves one of them, some ms later.
  static void makeWayFor(const Helped& helped) noexcept {
    if (!helped.thread || helped.thread == &detail::threadState) return;
    if (helped.processor == detail::currentProcessor()) detail::leaveProcessor(helped.processor);
  }

  /// Lets one thread at a time wait awake for a task; returns whether there is one. Called with the lock
  /// held, which is released during the wait.
  bool stayAwake(std::chrono::microseconds time) noexcept {
    if (isAwake_) return false;
    isAwake_ = true;
    lock_.unlock();
    if (!detail::stayAwakeUntil(time, [this] { return lockWithTask(); })) lock_.lock();
    isAwake_ = false;
    return !tasks_.empty();
  }

  /// Takes the lock if there is a task, else returns false.
  bool lockWithTask() noexcept {
    if (tasks_.empty()) return false;
    lock_.lock();
    if (!tasks_.empty()) return true;
    lock_.unlock();
    return false;
  }

  /// Called with the lock held.
  int countIdle(int change) noexcept {
    const int idle = idle_.load(std::memory_order_relaxed) + change;
    idle_.store(idle, std::memory_order_relaxed);
    return idle;
  }

  alignas(64) detail::SpinLock lock_;
  std::atomic<int> idle_;            ///< threads without work, less the waiting tasks
  int asleep_;                       ///< threads that wait in Asio and have not been woken
  std::atomic<bool> closed_{false};  ///< no more tasks are accepted
  bool isAwake_ = false;             ///< whether a thread without work waits awake
  detail::TaskQueue tasks_;
  Helped helped_;                           ///< the thread helped by the last offered task that waits
  alignas(64) std::atomic<int> waking_{0};  ///< the number of threads that are waking another
  detail::RunGroup runs_;
  boost::asio::io_context context_;  ///< where threads without work wait
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_{context_.get_executor()};
  std::vector<std::thread> threads_;
};

ThreadPool::ThreadPool() : ThreadPool(std::max(1u, std::thread::hardware_concurrency())) {}

ThreadPool::ThreadPool(unsigned threads) {
  if (threads == 0) throw std::invalid_argument("tapestry::ThreadPool: got 0 threads, expected at least 1");
  state_ = detail::makeRef<State>(threads);
}

ThreadPool::~ThreadPool() {
  if (state_->isHere()) {
    std::fputs(
        "tapestry::ThreadPool: destroyed on one of its own threads, for which it would wait for ever, "
        "expected another thread\n",
        stderr);
    std::terminate();
  }
  state_->join();
}

unsigned ThreadPool::size() const noexcept { return state_->size; }

bool ThreadPool::post(detail::Task& task) noexcept { return state_->post(task); }

bool ThreadPool::isHere() const noexcept { return state_->isHere(); }

Executor& ThreadPool::core() noexcept { return *state_; }

bool ThreadPool::idle() const noexcept { return state_->idle(); }

bool ThreadPool::offer(detail::Task& task) noexcept { return state_->offer(task); }

}  // namespace tapestry
