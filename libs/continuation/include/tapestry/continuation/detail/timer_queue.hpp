// Defines Timer, which a clock calls at its time, and TimerQueue, the timers of a clock in order.
#pragma once

#include <map>
#include <utility>

#include "tapestry/continuation/clock.hpp"

namespace tapestry::detail {

/// In one clock's queue at a time.
class Timer {
 public:
  /// Short, and must not throw.
  virtual void expired() noexcept = 0;

  /// The queue's own.
  struct Place {
    std::multimap<Clock::TimePoint, Timer*>::iterator at;
    bool waiting = false;
  } place;

 protected:
  ~Timer() = default;
};

/// Its owner's lock guards it, and the places of its timers. Cost: O(log n).
class TimerQueue {
 public:
  bool empty() const noexcept { return timers_.empty(); }
  /// When the first one expires. Precondition: not empty.
  Clock::TimePoint next() const noexcept { return timers_.begin()->first; }

  /// True if the timer has become the first.
  bool add(Timer& timer, Clock::TimePoint time) {
    timer.place = {timers_.emplace(time, &timer), true};
    return timer.place.at == timers_.begin();
  }
  /// False if it was not waiting.
  bool remove(Timer& timer) noexcept {
    if (!std::exchange(timer.place.waiting, false)) return false;
    timers_.erase(timer.place.at);
    return true;
  }
  /// Takes the first timer out if it is due; else null. Of timers for the same time, the one added first.
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
