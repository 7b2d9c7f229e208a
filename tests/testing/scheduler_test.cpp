#include "tapestry/testing/scheduler.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "tapestry/continuation/async.hpp"
#include "tapestry/continuation/ensure.hpp"
#include "tapestry/continuation/mask.hpp"
#include "tapestry/continuation/memoize.hpp"
#include "tapestry/continuation/parallel/race.hpp"
#include "tapestry/continuation/parallel/timeout.hpp"
#include "tapestry/continuation/parallel/tuple2.hpp"
#include "tapestry/continuation/sleep_for.hpp"
#include "tapestry/continuation/suspend.hpp"
#include "tapestry/continuation/tail_rec_m.hpp"

using namespace tapestry;
using namespace std::chrono_literals;
using testing::cancelAtEveryStep;
using testing::Deadlock;
using testing::Scheduler;

namespace {

/// The order in which four parallel branches continue that wait for the same moment.
std::string orderBy(std::uint64_t seed) {
  std::string order;
  const auto branch = [&](char name) {
    return parallel(sleepFor(1ms).map([&order, name] { order += name; }));
  };
  Scheduler scheduler(seed);
  CHECK(scheduler.run(tupleN(branch('a'), branch('b'), branch('c'), branch('d'))).hasValue());
  return order;
}

/// A run of the program has at least so many turns.
UnitContinuation<int> turns(int count) {
  return tailRecM(count * 1024, [](int left) {
    return now(left == 0 ? Step<int, int>::done(0) : Step<int, int>::next(left - 1));
  });
}

/// The number of tasks of branches that have many turns.
std::size_t tasksOfLongBranches() {
  Scheduler scheduler(1);
  const auto branch = parallel(turns(300));
  CHECK(scheduler.run(tupleN(branch, branch, branch)).hasValue());
  return scheduler.steps();
}

/// What a Deadlock says, with the places reduced to their lines.
template <class F>
std::string deadlockOf(F run) {
  try {
    run();
  } catch (const Deadlock& deadlock) {
    return std::regex_replace(deadlock.what(), std::regex("\\([^)]*:([0-9]+)\\)"), "($1)");
  }
  return "no deadlock";
}

}  // namespace

TEST_CASE("a scheduler runs a program to its outcome") {
  Scheduler scheduler;
  CHECK(scheduler.run(now(1)).get() == 1);
  CHECK(scheduler.steps() == 1);
  CHECK(scheduler.run(async<int>([](const Callback<int>&) {})).hasError());
}

TEST_CASE("the seed decides the order of what runs side by side, always in the same way") {
  std::set<std::string> orders;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const auto order = orderBy(seed);
    CHECK(order == orderBy(seed));
    orders.insert(order);
  }
  CHECK(orders.size() > 4);
}

TEST_CASE("turns of earlier runs of the thread change nothing") {
  const std::size_t tasks = tasksOfLongBranches();
  turns(900).onComplete([](const Outcome<int>& outcome) { CHECK(outcome.hasValue()); });
  CHECK(tasksOfLongBranches() == tasks);
}

TEST_CASE("time passes when nothing is ready") {
  Scheduler scheduler;
  const auto both = tuple2(parallel(sleepFor(1h)), parallel(sleepFor(2h)));
  CHECK(scheduler.run(both).hasValue());
  CHECK(scheduler.clock().now() == Clock::TimePoint(2h));
}

TEST_CASE("a run that waits for itself is a deadlock, and is ended") {
  Scheduler scheduler;
  bool finalized = false;
  std::optional<UnitContinuation<int>> self;
  const auto memo = memoize(suspend([&self] { return *self; }));
  self = memo;
  CHECK_THROWS_AS((void)scheduler.run(ensure(memo, delay([&] { finalized = true; }))), Deadlock);
  CHECK(finalized);
  self.reset();
}

TEST_CASE("a deadlock says where the run and its branches wait") {
  Scheduler scheduler(17);
  std::vector<Callback<void>> kept;
  const int line = __LINE__ + 1;
  const auto leaf = async<void>([&](Callback<void> callback) { kept.push_back(std::move(callback)); });
  const auto program =
      tuple2(parallel(leaf.named("left")), parallel(sleepFor(1h).flatMap([&] { return leaf; })));
  const int run = __LINE__ + 1;
  const std::string text = deadlockOf([&] { (void)scheduler.run(program); });
  const auto at = [](int number) { return " (" + std::to_string(number) + ")"; };
  const std::string seed = "\"seed 17\"" + at(run);
  const std::string wait = ": waits for async" + at(line) + "\n";
  CHECK(text == "tapestry::testing::Scheduler: deadlock, the run waits and nothing is left to do\n" + seed +
                    wait + "\"left\"" + at(line + 2) + " in " + seed + wait);
}

TEST_CASE("a deadlock does not speak of other runs") {
  std::optional<Callback<int>> other;
  async<int>([&](Callback<int> callback) { other = std::move(callback); })
      .named("other")
      .onComplete([](auto) {});
  Scheduler scheduler;
  std::optional<Callback<int>> kept;
  const auto program = async<int>([&](Callback<int> callback) { kept = std::move(callback); });
  const std::string text = deadlockOf([&] { (void)scheduler.run(program); });
  CHECK(text.find("seed 0") != text.npos);
  CHECK(text.find("other") == text.npos);
}

TEST_CASE("a deadlock does not speak of an earlier run from the same place that still waits") {
  Scheduler scheduler;
  std::vector<Callback<int>> kept;
  const auto program = mask(async<int>([&](Callback<int> callback) { kept.push_back(std::move(callback)); }));
  std::string text;
  for (int i = 0; i < 3; ++i) text = deadlockOf([&] { (void)scheduler.run(program); });
  CHECK(std::ranges::count(text, '\n') == 2);
  for (const auto& callback : kept) callback(1);
  (void)scheduler.run(now(1));
}

TEST_CASE("a callback that is never called is a deadlock, with another message under a mask") {
  Scheduler scheduler;
  std::optional<Callback<int>> kept;
  const auto program = mask(async<int>([&](Callback<int> callback) { kept = std::move(callback); }));
  const std::string text = deadlockOf([&] { (void)scheduler.run(program); });
  CHECK(text.starts_with(
      "tapestry::testing::Scheduler: deadlock, the run waits, masked, and nothing is left to do\n"));
  (*kept)(1);
  CHECK(scheduler.steps() > 0);
}

TEST_CASE("cancelAtEveryStep asks each run to stop one step later, until one ends before that") {
  int finalized = 0;
  std::string outcomes;
  const auto step = [] { return sleepFor(1ms); };
  const std::size_t runs = cancelAtEveryStep(
      [&] { return ensure(step().flatMap(step).flatMap(step), delay([&] { ++finalized; })); },
      [&](const Outcome<void>& outcome, std::size_t) { outcomes += outcome.isCancelled() ? 'c' : 'v'; });
  CHECK(runs == outcomes.size());
  CHECK(outcomes.find('c') == 0);
  CHECK(outcomes.back() == 'v');
  CHECK(outcomes.size() >= 4);
  CHECK(finalized >= static_cast<int>(runs) - 1);
}

TEST_CASE("cancelAtEveryStep asks for a stop at each flatMap, also where none waits") {
  std::string trace;
  std::set<std::string> traces;
  const auto append = [&](char letter) {
    return [&trace, letter] {
      trace += letter;
      return now();
    };
  };
  const auto letters = [&] { return now().flatMap(append('a')).flatMap(append('b')).flatMap(append('c')); };
  const auto keep = [&](const Outcome<void>& outcome, std::size_t) {
    CHECK(outcome.hasValue() == (trace == "abc"));
    traces.insert(std::exchange(trace, ""));
  };
  CHECK(cancelAtEveryStep(letters, keep) >= 4);
  CHECK(traces == std::set<std::string>{"", "a", "ab", "abc"});
  SUBCASE("in a parallel branch, after a wait too") {
    traces.clear();
    const auto branches = [&] {
      return tuple2(parallel(sleepFor(1ms).flatMap(letters)), parallel(sleepFor(2ms))).map([](const auto&) {
      });
    };
    const auto keepTrace = [&](const Outcome<void>&, std::size_t) {
      traces.insert(std::exchange(trace, ""));
    };
    cancelAtEveryStep(branches, keepTrace);
    CHECK(traces == std::set<std::string>{"", "a", "ab", "abc"});
  }
  SUBCASE("in a program whose stop state only follows an outer state") {
    traces.clear();
    const auto followed = [&] {
      using Timed = std::optional<Unit>;
      return raceAll(std::vector{UnitContinuation<Timed>(timeout(letters(), 1h))}).map([](const auto&) {});
    };
    cancelAtEveryStep(followed,
                      [&](const Outcome<void>&, std::size_t) { traces.insert(std::exchange(trace, "")); });
    CHECK(traces == std::set<std::string>{"", "a", "ab", "abc"});
  }
  SUBCASE("and not under a mask") {
    traces.clear();
    cancelAtEveryStep([&] { return mask(letters()); },
                      [&](const Outcome<void>&, std::size_t) { traces.insert(std::exchange(trace, "")); });
    CHECK(traces.contains("abc"));
    CHECK(!traces.contains("a"));
    CHECK(!traces.contains("ab"));
  }
}

TEST_CASE("a scheduler works within a run of this thread, which waits for it") {
  std::string trace;
  now(1).onComplete([&](Outcome<int>) {
    delay([&] { trace += "after "; }).onComplete([](Outcome<void>) {});
    Scheduler scheduler;
    CHECK(scheduler.run(sleepFor(1ms).map([] { return 2; })).get() == 2);
    trace += "inner ";
  });
  CHECK(trace == "inner after ");
  const auto nested = now(3).flatMap([](int x) {
    return now(x + Scheduler().run(tuple2(parallel(sleepFor(2ms)), parallel(sleepFor(1ms)))).hasValue());
  });
  CHECK(nested.blockingAwait() == 4);
  CHECK(Scheduler().run(nested).get() == 4);
}

TEST_CASE("the Deadlock of cancelAtEveryStep names the step at which the hanging run was asked to stop") {
  const auto hangs = [] {
    return now(1).flatMap([](int) {
      return ensure(sleepFor(1ms), async<void>([](Callback<void> callback) {
                      // never called: the run must not continue when its scheduler is gone
                      static auto& kept = *new std::vector<Callback<void>>;
                      kept.push_back(std::move(callback));
                    }));
    });
  };
  std::size_t looked = 0;
  try {
    cancelAtEveryStep(hangs, [&](const Outcome<void>&, std::size_t) { ++looked; });
    FAIL("expected Deadlock");
  } catch (const Deadlock& deadlock) {
    CHECK(looked > 0);
    CHECK(std::string(deadlock.what()).ends_with("asked to stop before step " + std::to_string(looked)));
  }
}

TEST_CASE("a scheduler runs a program that cannot be copied") {
  Scheduler scheduler;
  CHECK(scheduler.run(delay([value = std::make_unique<int>(5)] { return *value; })).get() == 5);
}
