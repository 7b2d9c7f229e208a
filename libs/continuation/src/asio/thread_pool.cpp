#include "tapestry/continuation/thread_pool.hpp"

#include <algorithm>
#include <atomic>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <stdexcept>
#include <thread>

#include "hand_over.hpp"
#include "tapestry/continuation/detail/processor.hpp"
#include "tapestry/continuation/detail/ready.hpp"
#include "tapestry/continuation/detail/run_group.hpp"

namespace tapestry {

class ThreadPool::State {
 public:
  explicit State(unsigned threads) : size(threads), idle(static_cast<int>(threads)), pool(threads) {}

  /// Waits for the runs of the pool, for its tasks, and also for whoever still is in post(), though its task
  /// may have ended long since.
  void join() {
    runs.stopAndWait();
    pool.join();
    while (posting.load() != 0) std::this_thread::yield();
  }

  bool isHere() const noexcept { return detail::threadState.worker == this; }

  /// `helped` is the processor of a thread that goes on with its work meanwhile, or -1. Precondition: `idle`
  /// was decremented for the task.
  void post(detail::Task& task, int helped = -1) {
    if (isHere()) return postTo(task, helped);  // join waits for this thread
    posting.fetch_add(1);
    postTo(task, helped);
    posting.fetch_sub(1);
  }

  detail::RunGroup runs;
  const unsigned size;
  /// Threads without work, less the tasks that wait for one. Each task of a worker writes it, other threads
  /// seldom: hence the lines of their own.
  alignas(64) std::atomic<int> idle;
  alignas(64) std::atomic<int> posting{0};  ///< threads that are in post() from outside
  alignas(64) std::atomic<int> queued{0};   ///< tasks in the pool's queue
  detail::HandOver handOver;
  alignas(64) boost::asio::thread_pool pool;

 private:
  /// A thread that is woken to help may stand on the processor of the one that it helps, even if others are
  /// free; the two would take turns until the kernel moves one of them, some ms later.
  static void leaveTo(int helped) noexcept {
    if (helped >= 0 && helped == detail::currentProcessor()) detail::leaveProcessor(helped);
  }

  void postTo(detail::Task& task, int helped) {
    // what is queued already comes first
    if (queued.load() == 0 && handOver.give(task)) return;
    queued.fetch_add(1);
    boost::asio::post(pool, [this, &task, helped] {
      queued.fetch_sub(1);
      leaveTo(helped);
      auto& thread = detail::threadState;
      thread.worker = this;
      thread.mustNotWait = true;
      for (detail::Task* next = &task; next; next = handOver.await(queued)) {
        detail::drive(*next);
        idle.fetch_add(1);
      }
    });
  }
};

ThreadPool::ThreadPool() : ThreadPool(std::max(1u, std::thread::hardware_concurrency())) {}

ThreadPool::ThreadPool(unsigned threads) {
  if (threads == 0) throw std::invalid_argument("tapestry::ThreadPool: got 0 threads, expected at least 1");
  state_ = std::make_unique<State>(threads);
}

ThreadPool::~ThreadPool() { state_->join(); }

unsigned ThreadPool::size() const noexcept { return state_->size; }

bool ThreadPool::post(detail::Task& task) noexcept {
  state_->idle.fetch_sub(1);
  state_->post(task);
  return true;
}

bool ThreadPool::isHere() const noexcept { return state_->isHere(); }

detail::RunGroup* ThreadPool::runs() noexcept { return &state_->runs; }

bool ThreadPool::idle() const noexcept { return state_->idle.load(std::memory_order_relaxed) > 0; }

bool ThreadPool::offer(detail::Task& task) noexcept {
  int idle = state_->idle.load();
  while (idle > 0)
    if (state_->idle.compare_exchange_weak(idle, idle - 1)) {
      state_->post(task, detail::currentProcessor());
      return true;
    }
  return false;
}

}  // namespace tapestry
