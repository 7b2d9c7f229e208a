#include "tapestry/continuation/clock.hpp"

#include <condition_variable>
#include <cstdio>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "tapestry/continuation/detail/engine/thread_state.hpp"
#include "tapestry/continuation/detail/timer_queue.hpp"

namespace tapestry {

namespace {

class SystemClock final : public Clock {
 public:
  TimePoint now() const noexcept override { return std::chrono::steady_clock::now(); }

  void start(detail::Timer& timer, TimePoint time) noexcept override {
    const std::lock_guard lock(mutex_);
    if (!std::exchange(started_, true)) startThread();
    if (timers_.add(timer, time)) changed_.notify_one();
  }

  bool cancel(detail::Timer& timer) noexcept override {
    const std::lock_guard lock(mutex_);
    return timers_.remove(timer);
  }

 private:
  /// Without its thread no timer would expire, and no run that waits would continue.
  void startThread() noexcept {
    try {
      std::thread([this] { expireTimers(); }).detach();
    } catch (const std::exception& error) {
      std::fprintf(stderr, "tapestry::Clock::system: the system gives no thread, got %s, expected one\n",
                   error.what());
      std::terminate();
    }
  }

  [[noreturn]] void expireTimers() noexcept {
    detail::threadState.mustNotWait = true;  // no timer would expire meanwhile
    std::unique_lock lock(mutex_);
    for (;;) {
      if (detail::Timer* timer = timers_.popDue(now())) {
        lock.unlock();
        timer->expired();
        lock.lock();
      } else if (timers_.empty()) {
        changed_.wait(lock);
      } else {
        changed_.wait_until(lock, TimePoint(timers_.next()));
      }
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  detail::TimerQueue timers_;
  bool started_ = false;
};

}  // namespace

Clock& Clock::system() noexcept {
  // never destroyed: its thread may outlive the end of main
  static SystemClock* const clock = new SystemClock;
  return *clock;
}

void detail::throwDurationIsNaN() {
  throw std::invalid_argument("tapestry::Clock: got a duration that is not a number, expected a number");
}

}  // namespace tapestry
