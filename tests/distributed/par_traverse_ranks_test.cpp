#include "tapestry/distributed/par_traverse_ranks.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <mutex>
#include <ranges>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/programs/delivery.hpp"
#include "support/ranks/ranks.hpp"
#include "support/ranks/traverse_laws.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/continuation/sleep_for.hpp"
#include "tapestry/distributed/local_communicator.hpp"
#include "tapestry/distributed/rank_error.hpp"
#include "tapestry/raii/environment.hpp"
#include "tapestry/raii/lift.hpp"
#include "tapestry/raii/scoped.hpp"
#include "tapestry/testing/scheduler.hpp"

using namespace tapestry;
using namespace std::chrono_literals;
using test::errorOf;
using test::numbersUpTo;
using test::outcomeText;
using testing::Scheduler;

TEST_CASE("the laws of parTraverseRanks hold in every order in which 1 to 4 local ranks continue") {
  for (std::size_t size = 1; size <= 4; ++size) {
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
      Scheduler scheduler(seed);
      const auto ends =
          scheduler.run(test::onAllRanks(localCommunicators(size), [seed](const LocalCommunicator& c) {
            return test::traverseLaws(c, 1 + seed % 3);
          }));
      REQUIRE(ends.hasValue());
      CHECK(ends.get() == std::vector<std::string>(size, "value"));
    }
  }
}

TEST_CASE("the laws of parTraverseRanks hold on the threads of a pool") {
  ThreadPool pool(2);
  for (int round = 0; round < 10; ++round) {
    test::Delivery<std::vector<std::string>> ends;
    test::onAllRanks(localCommunicators(3), [](const LocalCommunicator& c) {
      return test::traverseLaws(c, 2);
    }).onComplete(ends.callback(), pool);
    CHECK(ends.outcome().get() == std::vector<std::string>(3, "value"));
  }
}

TEST_CASE("each element runs once, at most limit at a time on a rank, and fast ranks run more") {
  struct Counts {
    std::map<int, int> runs;
    std::map<std::size_t, int> ofRank, now, most;
  };
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Counts counts;
    Scheduler scheduler(seed);
    const auto body = [&counts](const LocalCommunicator& c) {
      return parTraverseRanks(c, numbersUpTo(40), 2, [&counts, rank = c.rank()](int number) {
        return Do<void>::delay([&counts, rank, number] {
                 ++counts.runs[number];
                 ++counts.ofRank[rank];
                 counts.most[rank] = std::max(counts.most[rank], ++counts.now[rank]);
               })
            .flatMap([rank] { return lift(sleepFor(rank == 1 ? 100ms : 10ms)); })
            .map([&counts, rank] { --counts.now[rank]; });
      });
    };
    const auto ends = scheduler.run(test::onAllRanks(localCommunicators(3), body));
    CHECK(ends.get() == std::vector<std::string>(3, "value"));
    CHECK(counts.runs.size() == 40);
    for (const auto& [number, runs] : counts.runs) CHECK(runs == 1);
    for (const auto& [rank, most] : counts.most) CHECK(most == 2);
    CHECK(counts.ofRank[1] < counts.ofRank[0] / 3);
    CHECK(counts.ofRank[1] < counts.ofRank[2] / 3);
  }
}

TEST_CASE("the first error cancels the elements of all ranks") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    int begun = 0, ended = 0;
    Scheduler scheduler(seed);
    const auto body = [&](const LocalCommunicator& c) {
      return parTraverseRanks(c, numbersUpTo(30), 1, [&](int number) {
        return Do<void>::delay([&, number] {
                 ++begun;
                 if (number == 5) throw std::runtime_error("five");
               })
            .flatMap([] { return lift(sleepFor(1h)); })
            .map([&] { ++ended; });
      });
    };
    const auto ends = scheduler.run(test::onAllRanks(localCommunicators(6), body));
    for (const auto& end : ends.get()) {
      CHECK(end == ends.get().front());
      CHECK(end.find("has failed at element 5: five") != std::string::npos);
    }
    CHECK(begun == 6);
    CHECK(ended == 0);
    CHECK(scheduler.clock().now() == Clock::TimePoint());
  }
}

TEST_CASE("ranks with ranges of different sizes fail") {
  Scheduler scheduler;
  const auto body = [](const LocalCommunicator& c) {
    return parTraverseRanks(c, numbersUpTo(c.rank() == 1 ? 3 : 2), 1, [](int) { return Do<void>::now(); });
  };
  const auto ends = scheduler.run(test::onAllRanks(localCommunicators(2), body));
  CHECK(ends.get() ==
        std::vector<std::string>(2,
                                 "tapestry::parTraverseRanks: the ranges differ, got 3 elements "
                                 "on rank 1, expected 2 as on rank 0"));
}

namespace {

/// Checks, for each of three ranks, that all ranks end with an error that names the rank if it is asked to
/// stop. program(source, asks) makes the program of an element; `asks` says whether the element is of the
/// rank that is asked. afterASecond(source) is called when the elements are at work.
void checkStops(const auto& program, const auto& afterASecond) {
  for (std::size_t stopped = 0; stopped < 3; ++stopped) {
    const auto all = localCommunicators(3);
    testing::VirtualClock clock;
    const StopSource stop;
    test::Delivery<void> ends[3];
    for (const auto& c : all) {
      const bool asks = c.rank() == stopped;
      const auto elements =
          parTraverseRanks(c, numbersUpTo(9), 2, [&, asks](int) { return program(stop, asks); });
      withClock(clock, elements).onComplete(ends[c.rank()].callback(), asks ? stop.token() : StopToken());
    }
    clock.advance(1s);
    afterASecond(stop);
    const std::string text =
        "tapestry::parTraverseRanks: rank " + std::to_string(stopped) + " was asked to stop";
    for (const auto& c : all) {
      REQUIRE(ends[c.rank()].count() == 1);
      CHECK(outcomeText(ends[c.rank()].outcome()).find(text) == 0);
      CHECK(!ends[c.rank()].outcome().hasValue());
    }
    CHECK(clock.waiting() == 0);
  }
}

}  // namespace

TEST_CASE("a rank that is asked to stop ends the elements of all ranks, whose errors name it") {
  checkStops([](const StopSource&, bool) { return lift(sleepFor(1h)); },
             [](const StopSource& stop) { stop.requestStop(); });
}

TEST_CASE("a rank that is asked to stop while its traversal begins ends the elements of all ranks") {
  checkStops(
      [](const StopSource& stop, bool asks) {
        if (asks) stop.requestStop();
        return lift(sleepFor(1h));
      },
      [](const StopSource&) {});
}

namespace {

/// A communicator whose messages take five seconds to leave the rank while `isSlow` is set.
struct SlowCommunicator : LocalCommunicator {
  SlowCommunicator(const LocalCommunicator& local, const bool& slow)
      : LocalCommunicator(local), isSlow(slow) {}
  Do<void> send(Bytes bytes, std::size_t to, int tag) const {
    const auto sending = LocalCommunicator::send(std::move(bytes), to, tag);
    return isSlow ? lift(sleepFor(5s)).flatMap([sending] { return sending; }) : sending;
  }
  Do<SlowCommunicator> split(std::size_t color) const {
    return LocalCommunicator::split(color).map(
        [slow = &isSlow](const LocalCommunicator& part) { return SlowCommunicator(part, *slow); });
  }
  const bool& isSlow;
};

}  // namespace

TEST_CASE("a request to stop that is told late does not reach the next traversal") {
  const auto all = localCommunicators(2);
  testing::VirtualClock clock;
  const StopSource stop;
  bool isSlow = false;
  test::Delivery<void> both, first, next;
  const auto traverse = [&isSlow](const LocalCommunicator& c) {
    return parTraverseRanks(SlowCommunicator(c, isSlow), numbersUpTo(2), 1,
                            [](int) { return lift(sleepFor(1s)); });
  };
  withClock(clock, traverse(all[0]).flatMap([&] { return traverse(all[0]); })).onComplete(both.callback());
  withClock(clock, traverse(all[1])).onComplete(first.callback(), stop.token());
  isSlow = true;
  stop.requestStop();
  isSlow = false;
  clock.advance(10s);
  REQUIRE(first.count() == 1);
  CHECK(outcomeText(first.outcome()) == "cancelled");
  withClock(clock, traverse(all[1])).onComplete(next.callback());
  clock.advance(10s);
  REQUIRE(both.count() + next.count() == 2);
  CHECK(outcomeText(both.outcome()) == "value");
  CHECK(outcomeText(next.outcome()) == "value");
}

TEST_CASE("a rank that does not take part is named when it has not been heard from within the time limit") {
  for (const std::size_t absent : {0, 2}) {
    LocalOptions options;
    options.timeLimit = 8s;
    Scheduler scheduler;
    const auto body = [absent](const LocalCommunicator& c) -> Do<void> {
      if (c.rank() == absent) return Do<void>::now();
      return parTraverseRanks(c, numbersUpTo(9), 2, [](int) { return lift(sleepFor(10ms)); });
    };
    const auto all = localCommunicators(3, options);
    const auto ends = scheduler.run(test::onAllRanks(all, body)).get();
    const std::string text =
        "tapestry::parTraverseRanks: rank " + std::to_string(absent) + " was not heard from within";
    for (std::size_t rank = 0; rank < 3; ++rank)
      CHECK(ends[rank].substr(0, rank == absent ? 5 : text.size()) == (rank == absent ? "value" : text));
    CHECK(scheduler.clock().now() <= Clock::TimePoint(20s));
    // the communicator is broken, as by a collective
    const auto before = scheduler.clock().now();
    const auto later =
        scheduler.run(test::onAllRanks(all, [](const LocalCommunicator& c) { return c.barrier(); }));
    for (const auto& end : later.get())
      CHECK(end.find("rank " + std::to_string(absent) + " did not come to barrier") != std::string::npos);
    CHECK(scheduler.clock().now() == before);
  }
}

TEST_CASE("a rank that comes too late gets the verdict in every order, and the communicator is broken") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const auto all = localCommunicators(2, {.timeLimit = 8s});
    const std::size_t limit = 1 + seed % 2;
    Scheduler scheduler(seed);
    const auto traverse = [limit](const LocalCommunicator& c) {
      return parTraverseRanks(c, numbersUpTo(9), limit, [](int) { return Do<void>::now(); });
    };
    const auto late = [traverse](const LocalCommunicator& c) -> Do<void> {
      if (c.rank() == 0) return traverse(c);
      return lift(sleepFor(13s)).flatMap([c, traverse] { return traverse(c); });
    };
    const auto ends = scheduler.run(test::onAllRanks(all, late)).get();
    CHECK(ends ==
          std::vector<std::string>(2, "tapestry::parTraverseRanks: rank 1 was not heard from within 8 s"));
    const std::vector<std::string> broken(
        2, "tapestry::Communicator: rank 1 did not come to barrier within 8 s, expected all 2 ranks");
    const auto meet = [](const LocalCommunicator& c) { return c.barrier(); };
    CHECK(scheduler.run(test::onAllRanks(all, meet)).get() == broken);
    CHECK(scheduler.run(test::onAllRanks(all, traverse)).get() == broken);
  }
}

TEST_CASE("an element may take longer than the time limit to end after it was asked to stop") {
  const auto all = localCommunicators(2, {.timeLimit = 8s});
  const auto body = [](const LocalCommunicator& c) {
    return parTraverseRanks(c, std::vector<int>{0, 1}, 1, [](int number) {
      if (number == 0)
        return lift(sleepFor(1s)).flatMap([] { return Do<void>::raiseError(std::runtime_error("zero")); });
      return resource(Do<void>::now(), [] { return lift(sleepFor(15s)); }).flatMap([] {
        return lift(sleepFor(1h));
      });
    });
  };
  Scheduler scheduler;
  const auto ends = scheduler.run(test::onAllRanks(all, body)).get();
  for (const auto& end : ends) CHECK(end.find("has failed at element 0: zero") != std::string::npos);
  CHECK(scheduler.clock().now() == Clock::TimePoint(16s));
  const auto next = [](const LocalCommunicator& c) {
    return parTraverseRanks(c, numbersUpTo(9), 1, [](int) { return lift(sleepFor(10ms)); });
  };
  for (int i = 0; i < 2; ++i)
    CHECK(scheduler.run(test::onAllRanks(all, next)).get() == std::vector<std::string>(2, "value"));
}

TEST_CASE("the limit may be greater than any number of elements") {
  const auto body = [](const LocalCommunicator& c) {
    return parTraverseRanks(c, numbersUpTo(3), std::numeric_limits<std::size_t>::max(),
                            [](int) { return Do<void>::now(); });
  };
  for (const std::size_t ranks : {1, 2}) {
    Scheduler scheduler;
    CHECK(scheduler.run(test::onAllRanks(localCommunicators(ranks), body)).get() ==
          std::vector<std::string>(ranks, "value"));
  }
}

TEST_CASE("a limit of no elements is refused") {
  CHECK(errorOf([] {
          return parTraverseRanks(localCommunicators(1)[0], numbersUpTo(1), 0,
                                  [](int) { return Do<void>::now(); });
        }) == "tapestry::parTraverseRanks: the limit is too small, got 0, expected 1 or more");
}

TEST_CASE("a range whose end has another type than its begin is traversed") {
  const auto body = [](const LocalCommunicator& c) {
    const auto numbers = std::views::iota(0) | std::views::take_while([](int each) { return each < 3; });
    return parTraverseRanks(c, numbers, 1, [](int each) { return Do<int>::now(each * each); })
        .map([](const std::vector<int>& squares) {
          CHECK(squares == std::vector<int>{0, 1, 4});
        });
  };
  Scheduler scheduler;
  CHECK(scheduler.run(test::onAllRanks(localCommunicators(2), body)).get() ==
        std::vector<std::string>(2, "value"));
}
