#include "tapestry/continuation/run_observer.hpp"

#include <doctest/doctest.h>

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "support/programs/runs.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/continuation/delay.hpp"
#include "tapestry/continuation/named.hpp"
#include "tapestry/continuation/parallel/par_traverse.hpp"
#include "tapestry/continuation/parallel/tuple2.hpp"
#include "tapestry/continuation/shift.hpp"
#include "tapestry/continuation/track_runs.hpp"
#include "tapestry/continuation/unit_continuation.hpp"

using namespace tapestry;
using test::Delivery;
using test::Manual;

namespace {

using Lines = std::vector<std::string>;

/// Notes all calls, and checks that a run leaves each span on the thread where it has entered or resumed it.
class Recording final : public RunObserver {
 public:
  Lines take() {
    const std::lock_guard guard(mutex_);
    return std::exchange(lines_, {});
  }
  /// Whether no thread is in a span, and no run waits in one.
  bool isQuiet() {
    const std::lock_guard guard(mutex_);
    return here_.empty() && waiting_ == 0 && mistakes_ == 0;
  }

  void entered(const RunSpan& span, const void* run) noexcept override {
    const std::lock_guard guard(mutex_);
    note("entered ", span);
    here_[{run, span.id()}] = std::this_thread::get_id();
  }
  void suspended(const RunSpan& span, const void* run, const char* operation,
                 const std::source_location&) noexcept override {
    const std::lock_guard guard(mutex_);
    note(std::string("suspended for ") + operation + " in ", span);
    ++waiting_;
    leaveAll(span, run);
  }
  void resumed(const RunSpan& span, const void* run) noexcept override {
    const std::lock_guard guard(mutex_);
    note("resumed ", span);
    --waiting_;
    enterAll(span, run);
  }
  void branchBegan(const RunSpan& span, const void* run) noexcept override {
    const std::lock_guard guard(mutex_);
    note("branch of ", span);
    enterAll(span, run);
  }
  void branchEnded(const RunSpan& span, const void* run) noexcept override {
    const std::lock_guard guard(mutex_);
    note("end of ", span);
    leaveAll(span, run);
  }
  void left(const RunSpan& span, const void* run) noexcept override {
    const std::lock_guard guard(mutex_);
    note("left ", span);
    leave(span, run);
  }

 private:
  void note(const std::string& what, const RunSpan& span) {
    std::string line = what + span.name();
    for (auto outer = span.outer(); outer; outer = outer->outer()) line += " in " + outer->name();
    lines_.push_back(line);
  }
  void enterAll(const RunSpan& innermost, const void* run) {
    for (std::optional at = innermost; at; at = at->outer())
      here_[{run, at->id()}] = std::this_thread::get_id();
  }
  void leaveAll(const RunSpan& innermost, const void* run) {
    for (std::optional at = innermost; at; at = at->outer()) leave(*at, run);
  }
  /// A run leaves a span on the thread where it has entered it or continued in it.
  void leave(const RunSpan& span, const void* run) {
    const auto at = here_.find({run, span.id()});
    if (at == here_.end() || at->second != std::this_thread::get_id()) ++mistakes_;
    if (at != here_.end()) here_.erase(at);
  }

  std::mutex mutex_;
  Lines lines_;
  std::map<std::pair<const void*, std::uint64_t>, std::thread::id> here_;
  int waiting_ = 0;
  int mistakes_ = 0;
};

}  // namespace

TEST_CASE("an observer is notified of the named programs of its runs") {
  Recording recording;
  const auto inner = now(1).named("inner");
  const auto outer = inner.flatMap([=](int) { return inner; }).named("outer");
  CHECK(withObserver(recording, outer).blockingAwait() == 1);
  CHECK(recording.take() == Lines{"entered outer", "entered inner in outer", "left inner in outer",
                                  "entered inner in outer", "left inner in outer", "left outer"});
  CHECK(outer.blockingAwait() == 1);
  CHECK(withObserver(recording, now(1)).blockingAwait() == 1);
  CHECK(withObserver(recording, outer).named("around").blockingAwait() == 1);
  CHECK(recording.take()[0] == "entered outer");  // the name around it has another observer
  CHECK(recording.isQuiet());
}

TEST_CASE("an observer is notified where a run waits and on which thread it continues") {
  Recording recording;
  Manual<int> manual;
  Delivery<int> delivery;
  const auto waiting = manual.program().named("waiting");
  withObserver(recording, waiting).onComplete(delivery.callback());
  CHECK(recording.take() == Lines{"entered waiting", "suspended for async in waiting"});
  std::thread([&] { manual.take()(1); }).join();
  CHECK(recording.take() == Lines{"resumed waiting", "left waiting"});
  CHECK(delivery.outcome().get() == 1);
  CHECK(recording.isQuiet());
}

TEST_CASE("the observer is told that a stopped run leaves its named programs") {
  Recording recording;
  Manual<int> manual;
  Delivery<int> delivery;
  const StopSource source;
  const auto waiting = manual.program().named("inner").map([](int x) { return x; }).named("outer");
  withObserver(recording, waiting).onComplete(delivery.callback(), source.token());
  recording.take();
  source.requestStop();
  CHECK(delivery.outcome().isCancelled());
  CHECK(recording.take() == Lines{"resumed inner in outer", "left inner in outer", "left outer"});
  CHECK(recording.isQuiet());
}

TEST_CASE("a wait that continues at the executor is one wait") {
  Recording recording;
  ThreadPool pool(1);
  CHECK(withObserver(recording, execute(pool, [] { return 1; }).named("there")).blockingAwait() == 1);
  const Lines lines = recording.take();
  REQUIRE(lines.size() >= 4);
  CHECK(lines[1] == "suspended for its executor in there");
  CHECK(lines[2] == "resumed there");
  CHECK(recording.isQuiet());
}

TEST_CASE("branches with threads of their own begin and end in the span of their parent") {
  Recording recording;
  ThreadPool pool(2);
  Manual<int> manual;
  Delivery<std::tuple<int, int>> delivery;
  const auto both = tuple2(parallel(manual.program()), parallel(manual.program())).named("both");
  withObserver(recording, both).onComplete(delivery.callback(), Executor::inlined());
  CHECK(recording.take() == Lines{"entered both", "suspended for async in both", "branch of both",
                                  "suspended for async in both"});
  while (manual.waiting() > 0) manual.take()(1);
  CHECK(delivery.outcome().hasValue());
  CHECK(recording.isQuiet());
}

TEST_CASE("an observer is notified of a run that yields to other runs") {
  Recording recording;
  ThreadPool pool(2);
  pool.setStepsPerTurn(3);
  const auto step = [] {
    return delay([] {}).flatMap([] { return now(Unit{}); }).map([](Unit) { return 1; });
  };
  const auto loop = [=](int) {
    return step().flatMap([=](int) { return step().flatMap([=](int) { return step(); }); });
  };
  const auto all = parTraverse(std::vector<int>(1000), 4, [=](int x) { return loop(x).named("loop"); });
  int turns = 0;
  // where one thread has begun and ended all before the other came, no run yields
  for (int round = 0; turns == 0 && round < 100; ++round) {
    Delivery<std::vector<int>> delivery;
    withObserver(recording, all.named("all")).onComplete(delivery.callback(), pool);
    REQUIRE(delivery.outcome().get().size() == 1000);
    REQUIRE(recording.isQuiet());
    for (const auto& line : recording.take()) turns += line == "suspended for its turn in loop in all";
  }
  CHECK(turns > 0);
}

TEST_CASE("events on many threads are reported in order for each run") {
  Recording recording;
  ThreadPool pool(4);
  trackRuns(true);
  const auto program = execute(pool, [] { return 1; }).named("short").flatMap([&](int x) {
    return tuple2(parallel(execute(pool, [x] { return x; })), parallel(now(x))).named("pair");
  });
  const StopSource source;
  std::vector<Delivery<std::tuple<int, int>>> deliveries(200);
  for (auto& delivery : deliveries) {
    withObserver(recording, program).onComplete(delivery.callback(), pool, source.token());
    if (&delivery == &deliveries[150]) source.requestStop();
  }
  for (auto& delivery : deliveries) CHECK(!delivery.outcome().hasError());
  trackRuns(false);
  CHECK(recording.isQuiet());
}
