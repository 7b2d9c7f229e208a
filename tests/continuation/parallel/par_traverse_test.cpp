// P8 for parTraverse: it completes after all that it has started; an empty one succeeds.
#include "tapestry/continuation/parallel/par_traverse.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <concepts>
#include <memory>
#include <numeric>
#include <ranges>
#include <string>
#include <thread>

#include "support/programs/runs.hpp"
#include "support/threads/executors.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/continuation/async.hpp"
#include "tapestry/continuation/shift.hpp"
#include "tapestry/continuation/sleep_for.hpp"
#include "tapestry/testing/virtual_clock.hpp"

using namespace tapestry;
using namespace std::chrono_literals;
using test::Delivery;
using test::Manual;
using testing::VirtualClock;

TEST_CASE("parTraverse yields the values in the order of the range, however they come") {
  VirtualClock clock;
  Delivery<std::vector<std::string>> delivery;
  withClock(clock,
            parTraverse(std::vector{3, 1, 2}, 10,
                        [](int i) { return sleepFor(i * 1ms).map([i] { return std::to_string(i); }); }))
      .onComplete(delivery.callback());
  CHECK(clock.waiting() == 3);
  clock.advance(3ms);
  CHECK(delivery.outcome().get() == std::vector<std::string>{"3", "1", "2"});
}

TEST_CASE("parTraverse of nothing yields nothing") {
  CHECK(parTraverse(std::vector<int>(), 3, [](int i) { return now(i); }).blockingAwait().empty());
}

TEST_CASE("parTraverse of a view takes elements that cannot be copied") {
  std::vector<std::unique_ptr<int>> numbers;
  for (int i = 0; i < 3; ++i) numbers.push_back(std::make_unique<int>(i));
  const auto program = parTraverse(std::views::all(numbers), 2,
                                   [](const std::unique_ptr<int>& number) { return now(*number); });
  CHECK(program.blockingAwait() == std::vector{0, 1, 2});
  CHECK(program.blockingAwait() == std::vector{0, 1, 2});
}

TEST_CASE(
    "parTraverse keeps to its limit of programs in flight, and reads an element only when its turn comes") {
  Manual<int> leaf;
  int read = 0;
  const auto elements = std::views::iota(0, 10) | std::views::transform([&read](int i) {
                          ++read;
                          return i;
                        });
  Delivery<std::vector<int>> delivery;
  parTraverse(elements, 3, [&](int i) {
    return leaf.program().map([i](int x) { return 10 * i + x; });
  }).onComplete(delivery.callback());
  for (int i = 0; i < 10; ++i) {
    CHECK(leaf.waiting() == static_cast<std::size_t>(std::min(3, 10 - i)));
    CHECK(read == std::min(10, i + 3));
    leaf.take()(i);
  }
  CHECK(delivery.outcome().get() == std::vector{0, 11, 22, 33, 44, 55, 66, 77, 88, 99});
}

TEST_CASE("parTraverse with a limit of 1 runs one after the other") {
  std::string log;
  const auto program = parTraverse(std::vector{1, 2, 3}, 1, [&](int i) {
    return delay([&log, i] { log += "<" + std::to_string(i); }).map([&log] { log += ">"; });
  });
  program.blockingAwait();
  CHECK(log == "<1><2><3>");
  program.blockingAwait();
  CHECK(log == "<1><2><3><1><2><3>");
}

TEST_CASE("parTraverse goes through an endless range until it is cancelled") {
  VirtualClock clock;
  const StopSource source;
  int done = 0;
  Delivery<void> delivery;
  withClock(clock,
            parTraverse(std::views::iota(0), 4, [&](int) { return sleepFor(1ms).map([&] { ++done; }); }))
      .onComplete(delivery.callback(), source.token());
  clock.advance(100ms);
  CHECK(done == 400);
  CHECK(delivery.count() == 0);
  source.requestStop();
  CHECK(delivery.outcome().isCancelled());
  CHECK(clock.waiting() == 0);
}

TEST_CASE("parTraverse of an endless range whose programs do not suspend is cancelled from another thread") {
  ThreadPool pool(2);
  const StopSource source;
  std::atomic<int> done{0};
  Delivery<void> delivery;
  parTraverse(std::views::iota(0), 4, [&](int i) {
    return delay([&, i] {
      ++done;
      if (i == 1000) source.requestStop();
    });
  }).onComplete(delivery.callback(), pool, source.token());
  CHECK(delivery.outcome().isCancelled());
  CHECK(done >= 1000);
}

TEST_CASE("parTraverse stops the others when one is stopped, begins no more, and has its error") {
  Manual<int> leaf;
  int begun = 0;
  Delivery<std::vector<int>> delivery;
  parTraverse(std::views::iota(0, 100), 2, [&](int i) -> UnitContinuation<int> {
    ++begun;
    if (i == 5) return async<int>([](const Callback<int>&) {});
    if (i == 4) return leaf.deaf();
    return now(i);
  }).onComplete(delivery.callback());
  CHECK(begun == 6);
  CHECK(delivery.count() == 0);
  leaf.take()(1);
  CHECK(test::isError<BrokenCallback>(delivery.outcome().error()));
  CHECK(begun == 6);
}

TEST_CASE("parTraverse uses idle workers, never more than the limit, and loses nothing") {
  ThreadPool pool(3);
  for (const std::size_t limit : {1, 2, 3, 8}) {
    std::atomic<int> inFlight{0};
    std::atomic<int> most{0};
    const auto values = parTraverse(std::views::iota(0, 3000), limit, [&](int i) {
                          return delay([&, i] {
                            const int running = ++inFlight;
                            int seen = most;
                            while (seen < running && !most.compare_exchange_weak(seen, running)) {
                            }
                            --inFlight;
                            return i;
                          });
                        }).blockingAwait(pool);
    CHECK(most <= static_cast<int>(limit));
    CHECK(std::accumulate(values.begin(), values.end(), 0) == 3000 * 2999 / 2);
    CHECK(std::ranges::is_sorted(values));
  }
}

TEST_CASE("elements run in parallel where there are idle workers") {
  ThreadPool pool(2);
  std::atomic<int> arrived{0};
  parTraverse(std::views::iota(0, 2), 2, [&](int) {
    return delay([&] {
      ++arrived;
      while (arrived < 2) std::this_thread::yield();
    });
  }).blockingAwait(pool);
  CHECK(arrived == 2);
}

TEST_CASE("a caller that waits for its workers continues with the next element") {
  ThreadPool pool(1);
  const auto caller = std::this_thread::get_id();
  // the longer the worker sleeps, the surer the caller waits by then, however busy the machine is
  const auto callerGoesOn = [&](auto sleep) {
    while (!pool.idle()) std::this_thread::yield();
    std::atomic<bool> firstMayEnd{false};
    const auto beganOn = parTraverse(std::views::iota(0, 4), 2, [&](int i) {
                           if (i == 2) {
                             // the worker is about to begin this one, and the caller has nothing to do soon
                             firstMayEnd = true;
                             std::this_thread::sleep_for(sleep);
                           }
                           return delay([&, i] {
                             while (i == 0 && !firstMayEnd) std::this_thread::yield();
                             return std::this_thread::get_id();
                           });
                         }).blockingAwait(pool);
    CHECK(beganOn[2] != caller);
    return beganOn[3] == caller;
  };
  CHECK((callerGoesOn(50ms) || callerGoesOn(500ms) || callerGoesOn(5s)));
}

TEST_CASE("parTraverse moves values that cannot be copied") {
  const auto boxes = parTraverse(std::vector{1, 2}, 2, [](int i) {
                       return delay([i] { return std::make_unique<int>(i); });
                     }).blockingAwait();
  CHECK(*boxes[0] + *boxes[1] == 3);
}

TEST_CASE("a limit of 0 is refused with a message") {
  CHECK_THROWS_WITH_AS((void)parTraverse(std::vector{1}, 0, [](int i) { return now(i); }),
                       "tapestry::parTraverse: got a limit of 0, expected at least 1", std::invalid_argument);
}

TEST_CASE("programs begin on the run's executor, wherever the previous program has ended") {
  ThreadPool elsewhere(1);
  const auto here = std::this_thread::get_id();
  std::vector<std::thread::id> began;
  const std::vector<int> elements{1, 2, 3, 4};
  const auto program = parTraverse(elements, 1, [&](int x) {
    began.push_back(std::this_thread::get_id());
    return execute(elsewhere, [x] { return x; });
  });
  CHECK(program.blockingAwait() == elements);
  CHECK(began == std::vector<std::thread::id>(4, here));
}

TEST_CASE("a traversal whose executor takes no more work ends") {
  Manual<int> leaf;
  test::QueueExecutor home;
  Delivery<std::vector<int>> delivery;
  int began = 0;
  const std::vector<int> elements{1, 2, 3, 4};
  parTraverse(elements, 1, [&](int) {
    ++began;
    return leaf.program();
  }).onComplete(delivery.callback(), home);
  home.work();
  home.stop();
  leaf.take()(1);
  REQUIRE(delivery.count() == 1);
  CHECK(test::isError<ExecutorStopped>(delivery.outcome().error()));
  CHECK(began == 1);
}

TEST_CASE("parTraverse may begin on a thread of which its executor knows nothing") {
  for (const bool hasWorkers : {false, true}) {
    CAPTURE(hasWorkers);
    ThreadPool pool(1);
    std::jthread foreign;
    const auto elsewhere = async<void>([&](Callback<void> callback) {
      foreign = std::jthread([given = std::move(callback)]() mutable { given(); });
    });
    const auto program = elsewhere.flatMap([] {
      return parTraverse(std::views::iota(0, 4), 2,
                         [](int i) { return sleepFor(1ms).map([i] { return i; }); });
    });
    const auto values = hasWorkers ? program.blockingAwait(pool) : program.blockingAwait();
    CHECK(std::ranges::equal(values, std::views::iota(0, 4)));
  }
}

namespace {

/// It takes an allocator, and is no container.
struct Person {
  using allocator_type = std::allocator<Person>;
};
/// A container of itself.
struct Json : std::vector<Json> {};

}  // namespace

TEST_CASE("elements that take allocators, and containers of themselves, are traversed") {
  const auto one = [](const auto&) { return now(1); };
  CHECK(parTraverse(std::vector<Person>(2), 1, one).blockingAwait().size() == 2);
  Json json;
  json.push_back(Json());
  CHECK(parTraverse(json, 1, one).blockingAwait().size() == 1);
}

TEST_CASE("parTraverse looks for the next element only when its turn comes") {
  std::vector<int> order;
  const auto elements = std::views::iota(0, 3) | std::views::filter([&order](int i) {
                          order.push_back(i);
                          return true;
                        });
  const auto program =
      parTraverse(elements, 1, [&](int i) { return delay([&order, i] { order.push_back(10 + i); }); });
  program.blockingAwait();
  CHECK(order == std::vector{0, 10, 1, 11, 2, 12});
}

TEST_CASE("parTraverse begins the last element of a range that never ends") {
  const StopSource stop;
  const auto never = std::views::iota(0) | std::views::filter([](int i) { return i < 3; });
  int last = -1;
  const auto program = parTraverse(never, 1, [&](int i) {
    return delay([&, i] {
      last = i;
      if (i == 2) stop.requestStop();
    });
  });
  CHECK_THROWS_AS(program.blockingAwait(stop.token()), Cancelled);
  CHECK(last == 2);
}

TEST_CASE("values that cannot be assigned, such as functions, are collected") {
  const auto functions = parTraverse(std::vector<int>{1, 2, 3}, 2, [](int i) {
                           return now([i] { return 10 * i; });
                         }).blockingAwait();
  REQUIRE(functions.size() == 3);
  CHECK(functions[0]() == 10);
  CHECK(functions[2]() == 30);
}

TEST_CASE("parTraverse of programs without values yields none") {
  int begun = 0;
  const auto program =
      parTraverse(std::views::iota(0, 5), 2, [&](int) { return delay([&begun] { ++begun; }); });
  static_assert(std::same_as<decltype(program)::ValueType, void>);
  program.blockingAwait();
  CHECK(begun == 5);
}
