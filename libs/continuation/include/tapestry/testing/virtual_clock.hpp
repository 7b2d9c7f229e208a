// Defines VirtualClock, a clock for tests, whose time advances only on request.
#pragma once

#include <algorithm>
#include <cstddef>
#include <mutex>

#include "tapestry/continuation/detail/timer_queue.hpp"

#pragma GCC visibility push(default)
namespace tapestry::testing {

/// For `withClock`. Starts at the epoch of its time points. Thread-safe; timers expire on the thread that
/// advances the clock.
class VirtualClock final : public Clock {
 public:
  TimePoint now() const noexcept override {
    const std::lock_guard lock(mutex_);
    return now_;
  }

  void start(detail::Timer& timer, TimePoint time) noexcept override {
    const std::lock_guard lock(mutex_);
    timers_.add(timer, time);
  }
  bool cancel(detail::Timer& timer) noexcept override {
    const std::lock_guard lock(mutex_);
    return timers_.remove(timer);
  }

  /// The number of waiting timers.
  std::size_t waiting() const noexcept {
    const std::lock_guard lock(mutex_);
    return timers_.size();
  }

  /// Advances the time. Each timer that becomes due expires at its time, including timers that expiring
  /// timers start.
  void advance(Duration duration) { advanceTo(detail::later(now(), duration)); }

  /// Advances to the time of the next timer; returns false if there is none.
  bool advanceToNext() {
    TimePoint next;
    {
      const std::lock_guard lock(mutex_);
      if (timers_.empty()) return false;
      next = std::max(now_, timers_.next());
    }
    advanceTo(next);
    return true;
  }

 private:
  void advanceTo(TimePoint end) {
    for (;;) {
      detail::Timer* timer = nullptr;
      {
        const std::lock_guard lock(mutex_);
        if (!timers_.empty()) now_ = std::max(now_, std::min(end, timers_.next()));
        timer = timers_.popDue(end);
        if (!timer) now_ = std::max(now_, end);
      }
      if (!timer) return;
      timer->expired();
    }
  }

  mutable std::mutex mutex_;
  detail::TimerQueue timers_;
  TimePoint now_;
};

}  // namespace tapestry::testing
#pragma GCC visibility pop
