// A user-defined executor, clock, waiting leaf and combinator, for the main loop of a game.
#include <chrono>
#include <iostream>
#include <mutex>
#include <optional>
#include <utility>

#include "tapestry/continuation.hpp"
#include "tapestry/continuation/clock.hpp"
#include "tapestry/continuation/extend/program.hpp"
#include "tapestry/continuation/extend/task.hpp"
#include "tapestry/continuation/extend/timer.hpp"
#include "tapestry/continuation/extend/wait_queue.hpp"
#include "tapestry/continuation/parallel/timeout.hpp"
#include "tapestry/continuation/sleep_for.hpp"

using namespace tapestry;
using namespace std::chrono_literals;

// [executor]
/// Executes its tasks when the main loop draws a frame.
class FrameExecutor final : public Executor {
 public:
  bool post(extend::Task& task) noexcept override {
    const std::lock_guard lock(mutex_);
    task.nextTask = nullptr;
    (last_ ? last_->nextTask : first_) = &task;
    last_ = &task;
    return true;
  }
  bool isHere() const noexcept override { return drawing == this; }

  /// Executes what was posted before this frame.
  void draw() {
    extend::Task* task = takeAll();
    drawing = this;
    while (task) extend::drive(*std::exchange(task, task->nextTask));  // the task may be gone afterwards
    drawing = nullptr;
  }

 private:
  extend::Task* takeAll() noexcept {
    const std::lock_guard lock(mutex_);
    last_ = nullptr;
    return std::exchange(first_, nullptr);
  }

  static thread_local const FrameExecutor* drawing;
  std::mutex mutex_;
  extend::Task* first_ = nullptr;
  extend::Task* last_ = nullptr;
};
// [/executor]
thread_local const FrameExecutor* FrameExecutor::drawing = nullptr;

// [clock]
/// Its time passes as the main loop says.
class FrameClock final : public Clock {
 public:
  TimePoint now() const noexcept override {
    const std::lock_guard lock(mutex_);
    return now_;
  }
  void start(extend::Timer& timer, TimePoint time) noexcept override {
    const std::lock_guard lock(mutex_);
    timers_.add(timer, time);
  }
  bool cancel(extend::Timer& timer) noexcept override {
    const std::lock_guard lock(mutex_);
    return timers_.remove(timer);
  }

  void advance(Duration duration) {
    {
      const std::lock_guard lock(mutex_);
      now_ += duration;
    }
    while (extend::Timer* timer = popDue()) timer->expired();  // without the lock: it may start another timer
  }

 private:
  extend::Timer* popDue() noexcept {
    const std::lock_guard lock(mutex_);
    return timers_.popDue(now_);
  }

  mutable std::mutex mutex_;
  TimePoint now_;
  extend::TimerQueue timers_;
};
// [/clock]

// [leaf]
/// Runs wait until the event is set; setting it wakes all of them. Copies are the same event. Thread-safe.
class Event {
  struct State final : extend::Node {
    extend::WaitQueue queue;
    bool isSet = false;  ///< guarded by queue.lock
  };

  /// The place of one run in the queue, which a frame of the run owns.
  class Waiting final : public extend::Waiter {
   public:
    explicit Waiting(const extend::Ref<State>& state) : Waiter(state->queue), state_(state) {}

   private:
    bool enter() noexcept override { return state_->isSet; }  // called under the lock
    extend::Ref<State> state_;
  };

 public:
  class [[nodiscard]] Wait : public extend::ProgramOperations<Wait> {
   public:
    using ValueType = void;

    Wait(extend::Ref<State> state, extend::Location location)
        : state_(std::move(state)), location_(location) {}

    void step(extend::Run& run, extend::Keeper) const {
      // Called when the run continues: the event was set, or the run was asked to stop.
      constexpr auto goOn = [](Waiting& place, extend::Run& r) {
        if (place.leave()) return r.stop(Errors());
        r.put(Unit{});
      };
      // Called in its place where the executor refuses the run, which therefore stops.
      constexpr auto refused = [](Waiting& place, extend::Run&) { place.leave(); };
      if (run.stopIfRequested()) return;
      Waiting& waiting = run.push<goOn, refused>(extend::makeRef<Waiting>(state_));  // owned by the frame
      run.park(waiting, {"Event::wait", location_});
    }

   private:
    extend::Ref<State> state_;
    extend::Location location_;
  };

  /// A request to stop ends the wait.
  Wait wait(extend::Location location = extend::Location::current()) const { return Wait(state_, location); }

  void set() {
    state_->queue.lock.lock();
    state_->isSet = true;
    auto* const all = state_->queue.popAll();
    state_->queue.lock.unlock();
    extend::wakeAll(all);
  }

 private:
  extend::Ref<State> state_ = extend::makeRef<State>();
};
// [/leaf]

// [combinator]
template <extend::Program P>
class [[nodiscard]] Elapsed : public extend::ProgramOperations<Elapsed<P>> {
  struct Started final : extend::Node {
    explicit Started(Clock::TimePoint at) : time(at) {}
    const Clock::TimePoint time;
  };

 public:
  using ValueType = Clock::Duration;

  explicit Elapsed(P program) : program_(std::move(program)) {}

  void step(extend::Run& run, extend::Keeper keeper) const {
    constexpr auto finish = [](const Started& started, extend::Run& r) {
      r.take<Stored<typename P::ValueType>>();
      r.put<Clock::Duration>(extend::clockOf(r).now() - started.time);
    };
    // program_ is a part of this program, which has to live until the run has left it
    run.keep(std::move(keeper));
    run.push<finish>(extend::makeRef<Started>(extend::clockOf(run).now()));
    program_.step(run, {});
  }

 private:
  P program_;
};

/// How long the program takes, by the run's clock. The value of the program is dropped.
template <extend::Program P>
Elapsed<P> elapsed(P program) {
  return Elapsed<P>(std::move(program));
}
// [/combinator]

int main() {
  // [use]
  FrameExecutor frames;
  FrameClock clock;
  Event loaded;
  const auto fadeIn = loaded.wait().flatMap([] { return sleepFor(40ms); });
  withClock(clock, elapsed(fadeIn))
      .onComplete(
          [](Outcome<Clock::Duration> took) {
            std::cout << "faded in after " << took.get() / 1ms << " ms\n";
          },
          frames);
  withClock(clock, timeout(Event().wait(), 60ms))
      .onComplete(
          [](Outcome<std::optional<Unit>> was) { std::cout << (was.get() ? "set\n" : "never set\n"); },
          frames);
  for (int frame = 1; frame <= 5; ++frame) {
    clock.advance(20ms);
    if (frame == 2) loaded.set();
    std::cout << "frame " << frame << "\n";
    frames.draw();
  }
  // [/use]
}
