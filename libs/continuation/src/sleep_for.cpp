#include "tapestry/continuation/sleep_for.hpp"

#include <atomic>

#include "tapestry/continuation/detail/timer_queue.hpp"

namespace tapestry::detail {

namespace {

/// One run's wait. Either the timer or a request to stop ends it, by removing the timer from the clock's
/// queue. The run's thread, which leaves the run, and the thread that ends the wait synchronize by `state_`;
/// the second of them resumes the run.
class Sleeper final : public StopListener, public Parker, private Timer {
 public:
  Sleeper(Clock& clock, Clock::TimePoint time) noexcept : clock_(clock), time_(time) {}

  /// To be called first when the run continues; returns true if a request to stop has ended the wait.
  bool leave() noexcept {
    if (stop_) std::exchange(stop_, nullptr)->remove(*this);
    return cancelled_;
  }

 private:
  static constexpr int parked = 1, ended = 2;

  bool park(Run& run) noexcept override {
    run_ = &run;
    stop_ = &run.environment()->stop();
    clock_.start(*this, time_);
    if (!stop_->add(*this)) onStop();
    return (state_.fetch_or(parked) & ended) != 0;
  }
  void expired() noexcept override { end(); }
  void onStop() noexcept override {
    if (!clock_.cancel(*this)) return;
    cancelled_ = true;
    end();
  }
  void end() noexcept {
    if (state_.fetch_or(ended) & parked) run_->resume();
  }

  Clock& clock_;
  const Clock::TimePoint time_;
  Run* run_ = nullptr;
  StopState* stop_ = nullptr;
  std::atomic<int> state_{0};
  bool cancelled_ = false;
};

void parkUntil(Run& run, Clock::TimePoint time, const Wait& wait) {
  if (run.stopIfRequested()) return;
  constexpr auto goOn = [](Sleeper& sleeper, Run& r) {
    if (sleeper.leave()) return r.stop(Errors());
    r.put(Unit{});
  };
  constexpr auto refused = [](Sleeper& sleeper, Run&) { sleeper.leave(); };
  Sleeper& waiting = run.push<goOn, refused>(makeRef<Sleeper>(clockOf(run), time));
  run.park(waiting, wait);
}

}  // namespace

void startSleep(Run& run, Clock::Duration duration, const Location& location) {
  parkUntil(run, later(clockOf(run).now(), duration), {"sleepFor", location});
}

void startSleep(Run& run, Clock::TimePoint time, const Location& location) {
  parkUntil(run, time, {"sleepUntil", location});
}

}  // namespace tapestry::detail
