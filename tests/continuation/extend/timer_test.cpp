// A clock of one's own.
#include "tapestry/continuation/extend/timer.hpp"

#include <doctest/doctest.h>

#include <string>

#include "tapestry/continuation.hpp"
#include "tapestry/continuation/extend/program.hpp"
#include "tapestry/continuation/parallel/timeout.hpp"
#include "tapestry/continuation/sleep_for.hpp"

using namespace tapestry;
using namespace std::chrono_literals;

namespace {

class HandClock final : public Clock {
 public:
  ~HandClock() = default;
  TimePoint now() const noexcept override { return now_; }
  void start(extend::Timer& timer, TimePoint time) noexcept override { timers_.add(timer, time); }
  bool cancel(extend::Timer& timer) noexcept override { return timers_.remove(timer); }

  void advance(Duration duration) {
    now_ += duration;
    while (extend::Timer* timer = timers_.popDue(now_)) timer->expired();
  }
  bool waits() const { return !timers_.empty(); }

 private:
  TimePoint now_;
  extend::TimerQueue timers_;
};

}  // namespace

TEST_CASE("programs sleep by a user-defined clock, in the order of their times") {
  HandClock clock;
  std::string order;
  for (const int time : {3, 1, 2})
    withClock(clock, sleepFor(std::chrono::seconds(time)))
        .map([&order, time] { order += std::to_string(time); })
        .onComplete([](const Outcome<void>&) {});
  clock.advance(1s);
  CHECK(order == "1");
  clock.advance(5s);
  CHECK(order == "123");
}

TEST_CASE("a request to stop cancels the timer of a user-defined clock") {
  HandClock clock;
  StopSource stop;
  bool cancelled = false;
  withClock(clock, sleepFor(1h))
      .onComplete([&](const Outcome<void>& outcome) { cancelled = outcome.isCancelled(); }, stop.token());
  CHECK(clock.waits());
  stop.requestStop();
  CHECK(cancelled);
  CHECK(!clock.waits());
}

TEST_CASE("a timeout uses a user-defined clock, which clockOf returns") {
  struct Now : extend::ProgramOperations<Now> {
    using ValueType = Clock::TimePoint;
    void step(extend::Run& run, extend::Keeper) const { run.put<ValueType>(extend::clockOf(run).now()); }
  };
  HandClock clock;
  clock.advance(5s);
  CHECK(withClock(clock, Now()).blockingAwait() == Clock::TimePoint(5s));
  bool late = false;
  withClock(clock, timeout(sleepFor(1h), 1s)).onComplete([&](Outcome<std::optional<Unit>> outcome) {
    late = !outcome.get();
  });
  CHECK(!late);
  clock.advance(1s);
  CHECK(late);
  CHECK(!clock.waits());
}
