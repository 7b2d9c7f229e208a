// Defines Timer, which a clock calls at a given time, and TimerQueue, the timers of a clock in order of time.
#pragma once

#include <cstddef>
#include <map>
#include <utility>

#include "tapestry/continuation/clock.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// Is in the queue of at most one clock at a time.
class Timer {
 public:
  /// Must be short, and must not throw.
  virtual void expired() noexcept = 0;

  /// For the queue only.
  struct Place {
    std::multimap<Clock::TimePoint, Timer*>::iterator at;
    bool waiting = false;
  } place;

 protected:
  ~Timer() = default;
};

/// The owner's lock guards the queue and the places of its timers. Cost: O(log n).
class TimerQueue {
 public:
  bool empty() const noexcept { return timers_.empty(); }
  std::size_t size() const noexcept { return timers_.size(); }
  /// The time of the first timer. Precondition: not empty.
  Clock::TimePoint next() const noexcept { return timers_.begin()->first; }

  /// Returns true if the timer is now the first.
  bool add(Timer& timer, Clock::TimePoint time) {
    timer.place = {timers_.emplace(time, &timer), true};
    return timer.place.at == timers_.begin();
  }
  /// Returns false if the timer was not waiting.
  bool remove(Timer& timer) noexcept {
    if (!std::exchange(timer.place.waiting, false)) return false;
    timers_.erase(timer.place.at);
    return true;
  }
  /// Removes and returns the first timer if it is due; else returns null. Timers for the same time are in the
  /// order of their addition.
  Timer* popDue(Clock::TimePoint now) noexcept {
    if (timers_.empty() || timers_.begin()->first > now) return nullptr;
    Timer* timer = timers_.begin()->second;
    remove(*timer);
    return timer;
  }

 private:
  std::multimap<Clock::TimePoint, Timer*> timers_;
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
