#include "tapestry/continuation/thread_pool.hpp"

#include <algorithm>
#include <atomic>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <stdexcept>
#include <thread>

#include "../awake.hpp"
#include "../task_queue.hpp"
#include "tapestry/continuation/detail/processor.hpp"
#include "tapestry/continuation/detail/ready.hpp"
#include "tapestry/continuation/detail/run_group.hpp"
#include "tapestry/continuation/detail/spin_lock.hpp"

namespace tapestry {

class ThreadPool::State {
 public:
  explicit State(unsigned threads)
      : size(threads), idle_(static_cast<int>(threads)), asleep_(static_cast<int>(threads)), pool_(threads) {}

  /// Waits for the runs of the pool, for its tasks, and also for whoever still is waking a thread, though
  /// another may have done the task long since.
  void join() {
    runs.stopAndWait();
    pool_.join();
    while (waking_.load() != 0) std::this_thread::yield();
  }

  bool isHere() const noexcept { return detail::threadState.worker == this; }
  bool idle() const noexcept { return idle_.load(std::memory_order_relaxed) > 0; }

  void post(detail::Task& task) {
    lock_.lock();
    add(task, -1);
  }

  bool offer(detail::Task& task) {
    if (!idle()) return false;
    lock_.lock();
    if (idle()) {
      add(task, detail::currentProcessor());
      return true;
    }
    lock_.unlock();
    return false;
  }

  detail::RunGroup runs;
  const unsigned size;

 private:
  /// Wakes a thread if those that are awake have enough to do. `helped` is the processor of a thread that
  /// goes on with its work meanwhile, or -1. Unlocks: then the pool may be gone, unless a thread is to be
  /// woken.
  void add(detail::Task& task, int helped) {
    tasks_.push(task);
    helped_ = helped;
    const int idle = countIdle(-1);
    const bool wakes = asleep_ > std::max(idle, 0);
    if (!wakes) return lock_.unlock();
    --asleep_;
    waking_.fetch_add(1);
    lock_.unlock();
    boost::asio::post(pool_, [this] { work(); });
    waking_.fetch_sub(1);
  }

  /// Of a thread that has been woken, until it has nothing to do.
  void work() {
    auto& thread = detail::threadState;
    thread.worker = this;
    thread.mustNotWait = true;
    lock_.lock();
    do {
      while (detail::Task* const task = tasks_.pop()) {
        const int helped = helped_;
        lock_.unlock();
        // a thread that is woken to help may stand on the processor of the one that it helps, even if others
        // are free; the two would take turns until the kernel moves one of them, some ms later
        if (helped >= 0 && helped == detail::currentProcessor()) detail::leaveProcessor(helped);
        detail::drive(*task);
        lock_.lock();
        countIdle(1);
      }
    } while (stayAwake());
    ++asleep_;
    lock_.unlock();
  }

  /// Of one thread at a time, until there is a task: whether there is one. With the lock held, but for the
  /// waiting.
  bool stayAwake() noexcept {
    if (isAwake_) return false;
    isAwake_ = true;
    const auto time = helped_ < 0 ? detail::awakeFor : detail::awakeAfterHelp;
    lock_.unlock();
    detail::stayAwakeUntil(time, [this] { return !tasks_.empty(); });
    lock_.lock();
    isAwake_ = false;
    return !tasks_.empty();
  }

  /// With the lock held.
  int countIdle(int change) noexcept {
    const int idle = idle_.load(std::memory_order_relaxed) + change;
    idle_.store(idle, std::memory_order_relaxed);
    return idle;
  }

  alignas(64) detail::SpinLock lock_;
  std::atomic<int> idle_;  ///< threads without work, less the tasks that wait for one
  int asleep_;             ///< threads that wait in Asio and have not been woken
  int helped_ = -1;        ///< of the last task: the processor of whom it helps, or -1
  bool isAwake_ = false;   ///< whether a thread without work waits for some awake
  detail::TaskQueue tasks_;
  alignas(64) std::atomic<int> waking_{0};  ///< threads that are waking another
  boost::asio::thread_pool pool_;
};

ThreadPool::ThreadPool() : ThreadPool(std::max(1u, std::thread::hardware_concurrency())) {}

ThreadPool::ThreadPool(unsigned threads) {
  if (threads == 0) throw std::invalid_argument("tapestry::ThreadPool: got 0 threads, expected at least 1");
  state_ = std::make_unique<State>(threads);
}

ThreadPool::~ThreadPool() { state_->join(); }

unsigned ThreadPool::size() const noexcept { return state_->size; }

bool ThreadPool::post(detail::Task& task) noexcept {
  state_->post(task);
  return true;
}

bool ThreadPool::isHere() const noexcept { return state_->isHere(); }

detail::RunGroup* ThreadPool::runs() noexcept { return &state_->runs; }

bool ThreadPool::idle() const noexcept { return state_->idle(); }

bool ThreadPool::offer(detail::Task& task) noexcept { return state_->offer(task); }

}  // namespace tapestry
