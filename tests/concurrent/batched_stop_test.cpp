#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "support/programs/runs.hpp"
#include "support/threads/within.hpp"
#include "tapestry/concurrent/batched.hpp"
#include "tapestry/continuation/sleep_for.hpp"
#include "tapestry/continuation/stop.hpp"
#include "tapestry/raii.hpp"
#include "tapestry/raii/environment.hpp"
#include "tapestry/raii/scoped.hpp"
#include "tapestry/raii/timeout.hpp"
#include "tapestry/testing/scheduler.hpp"

using namespace tapestry;
using namespace std::chrono_literals;
using test::Counted;
using test::Delivery;
using test::Manual;
using test::outcomeText;
using testing::Scheduler;

namespace {

using Ints = std::vector<int>;

/// A batch that waits inside its call until it is told to continue.
struct HeldByCaller {
  Manual<void> calls;
  std::vector<Ints> got;
  Batched<int, int> ask(std::ptrdiff_t size) {
    return batched(
        [this](const Ints& numbers) {
          got.push_back(numbers);
          return Do<void>::lift(calls.program()).map([numbers] { return numbers; });
        },
        {.size = size, .window = 1h});
  }
};

}  // namespace

TEST_CASE("a request that is cancelled before the call leaves the batch") {
  HeldByCaller held;
  const auto ask = held.ask(3);
  const StopSource stop;
  std::vector<Delivery<int>> ends(4);
  ask(0).onComplete(ends[0].callback(), stop.token());
  ask(1).onComplete(ends[1].callback());
  stop.requestStop();
  CHECK(outcomeText(ends[0].outcome()) == "cancelled");
  ask(2).onComplete(ends[2].callback());
  CHECK(held.got.empty());
  ask(3).onComplete(ends[3].callback());
  CHECK(held.got == std::vector<Ints>{{1, 2, 3}});
  held.calls.take()();
  for (std::size_t i = 1; i < 4; ++i) CHECK(ends[i].outcome().get() == static_cast<int>(i));
}

TEST_CASE("a request that is cancelled during the call ends at once, and the others get their results") {
  HeldByCaller held;
  const auto ask = held.ask(2);
  const StopSource stop;
  Delivery<int> first, second;
  ask(1).onComplete(first.callback(), stop.token());
  ask(2).onComplete(second.callback());
  stop.requestStop();
  CHECK(outcomeText(first.outcome()) == "cancelled");
  CHECK(second.count() == 0);
  held.calls.take()();
  CHECK(second.outcome().get() == 2);
}

TEST_CASE(
    "when all of a batch have been cancelled, the call is asked to stop, and the next batch is another") {
  HeldByCaller held;
  const auto ask = held.ask(2);
  bool callEnded = false;
  const auto watching = batched(
      [&](const Ints& numbers) {
        return ensure(Do<void>::lift(held.calls.program()), delay([&] { callEnded = true; })).map([numbers] {
          return numbers;
        });
      },
      {.size = 2, .window = 1h});
  const StopSource stop;
  std::vector<Delivery<int>> ends(5);
  watching(1).onComplete(ends[0].callback(), stop.token());
  watching(2).onComplete(ends[1].callback(), stop.token());
  ask(3).onComplete(ends[2].callback(), stop.token());
  CHECK_FALSE(callEnded);
  stop.requestStop();
  CHECK(callEnded);
  for (std::size_t i = 0; i < 3; ++i) CHECK(outcomeText(ends[i].outcome()) == "cancelled");
  ask(4).onComplete(ends[3].callback());
  ask(5).onComplete(ends[4].callback());
  CHECK(held.got == std::vector<Ints>{{4, 5}});
  held.calls.take();  // the one that was stopped
  held.calls.take()();
  CHECK(ends[3].outcome().get() == 4);
}

TEST_CASE("a masked request stays in the batch") {
  HeldByCaller held;
  const auto ask = held.ask(2);
  const StopSource stop;
  Delivery<int> masked, other;
  int seen = 0;
  mask(ask(1).map([&](int result) { return seen = result; })).onComplete(masked.callback(), stop.token());
  stop.requestStop();
  ask(2).onComplete(other.callback());
  CHECK(held.got == std::vector<Ints>{{1, 2}});
  held.calls.take()();
  CHECK(seen == 1);
  CHECK(masked.count() == 1);
}

TEST_CASE("a call that never ends is a deadlock, which names the wait") {
  Scheduler scheduler;
  HeldByCaller held;
  CHECK_THROWS_WITH_AS(static_cast<void>(scheduler.run(held.ask(1)(1))), doctest::Contains("batched"),
                       testing::Deadlock);
}

TEST_CASE("a request to stop at any step loses no other request, and keeps nothing") {
  {
    const auto ask = batched(
        [](std::vector<Counted> counted) {
          return Do<void>::lift(sleepFor(1s)).map([counted = std::move(counted)] { return counted; });
        },
        {.size = 3, .window = 1s});
    const auto make = [&] {
      const auto one = ask(Counted(1)).map([](const Counted& c) { return c.value(); });
      return tuple2(parallel(one), parallel(tuple2(parallel(one), parallel(timeout(one, 1500ms)))));
    };
    const auto runs = testing::cancelAtEveryStep(make, [](const auto&, std::size_t) {});
    CHECK(runs > 8);
  }
  CHECK(Counted::live() == 0);
}

TEST_CASE("a call that cancels itself fails its requests, and cancels none of their runs") {
  const auto cancelling =
      batched([](const Ints&) { return Do<Ints>::delay([]() -> Ints { throw Cancelled(); }); }, {.size = 2});
  const auto one = cancelling(1).attempt();
  const auto outcome = Scheduler().run(tuple2(parallel(one), parallel(one)));
  CHECK(test::isError<BatchStopped>(std::get<0>(outcome.get()).error()));
  CHECK(test::isError<BatchStopped>(std::get<1>(outcome.get()).error()));
}

TEST_CASE("a call that throws Cancelled, and a release of which fails, fails its requests with that error") {
  const auto cancelling = batched(
      [](const Ints&) {
        return resource(Do<void>::now(), [] { throw std::runtime_error("release"); }).map([]() -> Ints {
          throw Cancelled();
        });
      },
      {.size = 2});
  const auto one = cancelling(1).attempt();
  const auto outcome = Scheduler().run(tuple2(parallel(one), parallel(one)));
  CHECK(test::errorText(std::get<0>(outcome.get()).error()) == "release");
  CHECK(test::errorText(std::get<1>(outcome.get()).error()) == "release");
}

TEST_CASE("a pool that ends while a call waits on it fails the requests from elsewhere") {
  Delivery<int> inside, outside;
  std::atomic<bool> called = false;
  {
    ThreadPool pool(1);
    const auto ask = batched(
        [&](Ints numbers) {
          called = true;
          return Do<void>::lift(sleepFor(1h)).map([numbers] { return numbers; });
        },
        {.size = 2, .window = 1h});
    Delivery<void> joined;
    ask(1).onComplete(inside.callback(), pool);
    Do<void>::now().onComplete(joined.callback(), pool);
    static_cast<void>(joined.outcome());
    ask(2).onComplete(outside.callback());
    CHECK(test::within(10s, [&] { return called.load(); }));
    CHECK(outside.count() == 0);
  }
  CHECK(test::isError<BatchStopped>(outside.outcome().error()));
  CHECK_FALSE(inside.outcome().hasValue());
}
