// Defines SpinWait, a short wait of a thread for other threads.
#pragma once

#include <chrono>

#pragma GCC visibility push(default)
namespace tapestry::extend {

/// For a loop that looks for the work of other threads again and again: `for (SpinWait wait; !done();)
/// wait.pause();`. The thread keeps its processor and yields it only every 30 us, since a yield beside a busy
/// process may cost a time slice. For waits of some 100 us at most, after which a thread should sleep.
class SpinWait {
 public:
  /// Lets some time pass; returns the time since the first call.
  std::chrono::nanoseconds pause() noexcept;

 private:
  using Time = std::chrono::steady_clock;

  Time::time_point began_{};
  Time::time_point nextYield_{};
};

}  // namespace tapestry::extend
#pragma GCC visibility pop
