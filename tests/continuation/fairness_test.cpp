// Runs yield to other tasks: a program that never suspends lets the other runs of its executor continue.
#include <doctest/doctest.h>

#include <atomic>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/strand.hpp>
#include <chrono>
#include <functional>
#include <latch>
#include <optional>
#include <ranges>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "support/programs/delivery.hpp"
#include "support/programs/manual.hpp"
#include "support/threads/executors.hpp"
#include "support/threads/within.hpp"
#include "tapestry/continuation/asio/asio_executor.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/continuation/async.hpp"
#include "tapestry/continuation/coroutine/coroutine.hpp"
#include "tapestry/continuation/direct/direct.hpp"
#include "tapestry/continuation/ensure.hpp"
#include "tapestry/continuation/mask.hpp"
#include "tapestry/continuation/parallel/par_for_each.hpp"
#include "tapestry/continuation/parallel/par_traverse.hpp"
#include "tapestry/continuation/parallel/race.hpp"
#include "tapestry/continuation/parallel/tuple2.hpp"
#include "tapestry/continuation/repeat.hpp"
#include "tapestry/continuation/shift.hpp"
#include "tapestry/continuation/sleep_for.hpp"
#include "tapestry/continuation/tail_rec_m.hpp"
#include "tapestry/testing/scheduler.hpp"

using namespace tapestry;
using namespace std::chrono_literals;
namespace asio = boost::asio;
using test::Delivery;
using test::isError;
using test::QueueExecutor;

namespace {

struct Loop {
  std::string name;
  UnitContinuation<void> program;
};

Coroutine<int> one() { co_return 1; }

UnitContinuation<void> recursion() {
  return suspend([]() -> UnitContinuation<void> { return recursion(); });
}

/// Programs that neither wait nor end.
std::vector<Loop> loops() {
  const UnitContinuation<int> erased = now(1);
  const UnitContinuation<int> notAtOnce = async<int>([](const Callback<int>& callback) { callback(1); });
  return {
      {"tailRecM", tailRecM(Unit{}, [](Unit) { return now(Step<Unit, void>::next(Unit{})); })},
      {"forever", forever(now(1))},
      {"recursion", recursion()},
      {"callbacks that are called at once", forever(notAtOnce)},
      {"tuple2", forever(tuple2(parallel(erased), parallel(notAtOnce)))},
      {"parTraverse", forever(parTraverse(std::vector{1, 2, 3}, 2, [](int x) { return now(x); }))},
      {"an infinite parTraverse",
       parTraverse(std::views::iota(0), 4, [](int x) { return now(x); }).map([](const auto&) {})},
      {"a fiber", direct<UnitContinuation>([] {
         for (;;) await(now(1));
       })},
      {"a coroutine", direct<UnitContinuation>([erased]() -> Coroutine<void> {
         for (;;) co_await erased;
       })},
      {"a coroutine whose awaits do not suspend it", direct<UnitContinuation>([]() -> Coroutine<void> {
         const auto ready = now(1);
         for (;;) co_await ready;
       })},
      {"a coroutine that awaits coroutines", direct<UnitContinuation>([]() -> Coroutine<void> {
         for (;;) co_await one();
       })},
  };
}

/// Ends after this number of steps, so that a test can count the turns that they take.
UnitContinuation<int> countTo(int steps) {
  return tailRecM(
      0, [steps](int i) { return now(i == steps ? Step<int, int>::done(i) : Step<int, int>::next(i + 1)); });
}

}  // namespace

TEST_CASE("programs that never wait let a sleeper of their context continue, and are stopped in time") {
  for (auto& [name, program] : loops()) {
    CAPTURE(name);
    asio::io_context context;
    AsioExecutor executor(context);
    const StopSource stop;
    Delivery<void> looping;
    Delivery<void> sleeping;
    sleepFor(10ms).map([&] { stop.requestStop(); }).onComplete(sleeping.callback(), executor);
    program.onComplete(looping.callback(), executor, stop.token());
    context.run();
    CHECK(sleeping.count() == 1);
    CHECK(looping.outcome().isCancelled());
  }
}

TEST_CASE("runs yield also on a strand and on an executor of erased type") {
  asio::io_context context;
  AsioExecutor strand(asio::make_strand(context));
  AsioExecutor erased(asio::any_io_executor(context.get_executor()));
  for (AsioExecutor* executor : {&strand, &erased}) {
    const StopSource stop;
    Delivery<void> looping;
    forever(now(1)).onComplete(looping.callback(), *executor, stop.token());
    delay([&] { stop.requestStop(); }).onComplete([](const auto&) {}, *executor);
    context.run();
    CHECK(looping.outcome().isCancelled());
    context.restart();
  }
}

TEST_CASE("runs that start one another in their callbacks let others continue") {
  asio::io_context context;
  AsioExecutor executor(context);
  std::atomic<bool> slept{false};
  const std::function<void()> start = [&] {
    UnitContinuation<int>(now(1)).onComplete([&](const Outcome<int>&) { slept ? void() : start(); },
                                             executor);
  };
  sleepFor(10ms).onComplete([&](const auto&) { slept = true; }, executor);
  start();
  context.run();
  CHECK(slept);
}

TEST_CASE("a branch that never waits lets the branches beside it begin") {
  asio::io_context context;
  AsioExecutor executor(context);
  Delivery<std::variant<int, int>> delivery;
  race(forever(now(1)).map([] { return 1; }), sleepFor(5ms).map([] {
    return 2;
  })).onComplete(delivery.callback(), executor);
  context.run();
  CHECK(delivery.outcome().get() == std::variant<int, int>(std::in_place_index<1>, 2));
}

TEST_CASE("a run yields to waiting tasks after the number of steps that its executor sets") {
  QueueExecutor queue;
  const auto turnsOf = [&queue](int steps) {
    // the turns of a thread are counted over its runs
    detail::threadState.ready.stepsLeft = detail::turnOf(queue.stepsPerTurn());
    Delivery<int> delivery;
    countTo(steps).onComplete(delivery.callback(), queue);
    const int turns = queue.work();
    CHECK(delivery.outcome().get() == steps);
    return turns;
  };
  CHECK(queue.stepsPerTurn() == 1024);
  CHECK(turnsOf(500) == 1);
  CHECK(turnsOf(10 * 1024) == 11);
  queue.setStepsPerTurn(10);
  CHECK(turnsOf(1000) == 101);
  queue.setStepsPerTurn(1);
  CHECK(turnsOf(100) == 103);
  queue.setStepsPerTurn(0);
  CHECK(turnsOf(100'000) == 1);
}

TEST_CASE("runs of one executor take turns") {
  QueueExecutor queue;
  queue.setStepsPerTurn(100);
  detail::threadState.ready.stepsLeft = 100;
  std::vector<int> order;
  for (const int id : {1, 2})
    tailRecM(0, [&order, id](int i) {
      if (i % 300 == 0) order.push_back(id);
      return now(i == 900 ? Step<int, void>::done() : Step<int, void>::next(i + 1));
    }).onComplete([](const auto&) {}, queue);
  queue.work();
  CHECK(order == std::vector{1, 2, 1, 2, 1, 2, 1, 2});
}

TEST_CASE("runs without an executor, and runs in blockingAwait, keep their turn") {
  const auto before = std::this_thread::get_id();
  int other = 0;
  delay([&] { delay([&] { ++other; }).onComplete([](const auto&) {}); })
      .flatMap([] { return countTo(100'000); })
      .map([&](int) { CHECK(other == 0); })
      .onComplete([](const auto&) {});
  CHECK(other == 1);
  CHECK(countTo(100'000).map([](int) { return std::this_thread::get_id(); }).blockingAwait() == before);
}

TEST_CASE("a run that a callback resumed elsewhere stays there") {
  asio::io_context context;
  AsioExecutor executor(context);
  Delivery<std::thread::id> delivery;
  std::optional<Callback<int>> callback;
  async<int>([&](const Callback<int>& c) { callback = c; })
      .flatMap([](int) { return countTo(10'000); })
      .map([](int) { return std::this_thread::get_id(); })
      .onComplete(delivery.callback(), executor);
  context.poll();
  std::thread::id there;
  std::thread([&] {
    there = std::this_thread::get_id();
    (*callback)(1);
  }).join();
  REQUIRE(delivery.count() == 1);
  CHECK(delivery.outcome().get() == there);
}

TEST_CASE("an executor that refuses a run after its turn stops it, and all of its finalizer runs") {
  QueueExecutor executor;
  Delivery<void> delivery;
  int rounds = 0;
  int finalized = 0;
  ensure(forever(delay([&] {
           if (++rounds == 3000) executor.stop();
         })),
         countTo(10'000).map([&](int steps) { finalized = steps; }))
      .onComplete(delivery.callback(), executor);
  executor.work();
  REQUIRE(delivery.count() == 1);
  CHECK(isError<ExecutorStopped>(delivery.outcome().error()));
  CHECK(rounds < 3000 + 2 * 1024);
  CHECK(finalized == 10'000);
}

TEST_CASE("a run that is in its mask when its executor refuses it is stopped when the mask ends") {
  QueueExecutor executor;
  Delivery<void> delivery;
  int masked = 0;
  int after = 0;
  mask(countTo(5000).map([&](int steps) { masked = steps; }))
      .flatMap([&] { return forever(delay([&] { ++after; })); })
      .onComplete(delivery.callback(), executor);
  executor.stop();
  executor.work();
  REQUIRE(delivery.count() == 1);
  CHECK(isError<ExecutorStopped>(delivery.outcome().error()));
  CHECK(masked == 5000);
  CHECK(after < 2 * 1024);
}

TEST_CASE("a context that is destroyed stops the programs that never wait, in any turn") {
  for (auto& [name, program] : loops()) {
    CAPTURE(name);
    Delivery<void> delivery;
    int finalized = 0;
    {
      asio::io_context context;
      AsioExecutor executor(context);
      ensure(program, countTo(3000).map([&](int steps) {
        finalized = steps;
      })).onComplete(delivery.callback(), executor);
      context.run_one();
      context.run_for(2ms);
      CHECK(delivery.count() == 0);
    }
    REQUIRE(delivery.count() == 1);
    // of several branches each may have been refused
    const std::exception_ptr error = delivery.outcome().error();
    CHECK((isError<ExecutorStopped>(error) || isError<MultipleException>(error)));
    CHECK(finalized == 3000);
  }
}

TEST_CASE("a program that looks at requests in few of its steps is stopped after a refusal in any of them") {
  const std::vector<Loop> programs{
      {"masked steps", forever(mask(now(1)))},
      {"masked recursion", tailRecM(Unit{}, [](Unit) { return mask(now(Step<Unit, void>::next(Unit{}))); })},
      {"races", forever(race(now(1), now(2))).map([] {})},
      {"parForEach", parForEach(std::views::iota(0), 4, [](int) { return now(); })},
      {"a coroutine that awaits coroutines", direct<UnitContinuation>([]() -> Coroutine<void> {
         for (;;) co_await one();
       })}};
  for (auto& [name, program] : programs)
    for (const std::uint32_t steps : {1, 2, 3, 4, 5, 7, 12, 1024}) {
      CAPTURE(name);
      CAPTURE(steps);
      Delivery<void> delivery;
      {
        asio::io_context context;
        AsioExecutor executor(context);
        executor.setStepsPerTurn(steps);
        program.onComplete(delivery.callback(), executor);
        context.run_for(1ms);
      }
      REQUIRE(delivery.count() == 1);
      CHECK(delivery.outcome().hasError());
    }
}

TEST_CASE("a context that is destroyed lets a masked run of several turns end") {
  Delivery<void> delivery;
  int masked = 0;
  int after = 0;
  {
    asio::io_context context;
    AsioExecutor executor(context);
    mask(countTo(10'000).map([&](int steps) { masked = steps; }))
        .flatMap([&] { return forever(delay([&] { ++after; })); })
        .onComplete(delivery.callback(), executor);
    context.run_one();
    CHECK(masked == 0);
  }
  REQUIRE(delivery.count() == 1);
  CHECK(isError<ExecutorStopped>(delivery.outcome().error()));
  CHECK(masked == 10'000);
  CHECK(after < 3 * 1024);
}

TEST_CASE("a pool of one thread runs its waiting tasks beside programs that never wait") {
  for (auto& [name, program] : loops()) {
    CAPTURE(name);
    const StopSource stop;
    Delivery<void> looping;
    ThreadPool pool(1);
    program.onComplete(looping.callback(), pool, stop.token());
    CHECK(execute(pool, [] { return 1; }).blockingAwait() == 1);
    CHECK(sleepFor(1ms).flatMap([&] { return execute(pool, [] { return 2; }); }).blockingAwait() == 2);
    stop.requestStop();
    CHECK(looping.outcome().isCancelled());
  }
}

TEST_CASE("a program that never waits lets the runs of its pool continue that it has resumed") {
  for (const unsigned threads : {1, 2}) {
    CAPTURE(threads);
    test::Manual<void> manual;
    std::atomic<bool> resumed{false};
    Delivery<void> waiting;
    Delivery<bool> resuming;
    ThreadPool pool(threads);
    manual.program().map([&] { resumed = true; }).onComplete(waiting.callback(), pool);
    while (manual.waiting() == 0) std::this_thread::yield();
    delay([&] {
      manual.take()();
    }).flatMap([&] {
        return repeatUntil(delay([&] { return resumed.load(); }), [](bool is) { return is; });
      }).onComplete(resuming.callback(), pool);
    CHECK(resuming.outcome().get());
    CHECK(waiting.outcome().hasValue());
  }
}

TEST_CASE(
    "a branch that never waits lets the branches beside it begin on a pool, whose threads may be busy") {
  for (const unsigned threads : {1, 2}) {
    CAPTURE(threads);
    std::latch begun(threads - 1), mayEnd(1);
    std::vector<Delivery<void>> others(threads - 1);
    Delivery<std::variant<int, int>> raced;
    ThreadPool pool(threads);
    for (auto& other : others)
      delay([&] { begun.count_down(), mayEnd.wait(); }).onComplete(other.callback(), pool);
    begun.wait();
    race(forever(now(1)).map([] { return 1; }), sleepFor(1ms).map([] {
      return 2;
    })).onComplete(raced.callback(), pool);
    CHECK(test::within(30s, [&] { return raced.count() == 1; }));
    mayEnd.count_down();
    CHECK(raced.outcome().get().index() == 1);
  }
}

TEST_CASE(
    "a race that is decided after many turns stops the branches that had begun within a branch before") {
  // the sixteenth turn of the first branch, after which the second begins, ends in a branch within the first
  const auto most = countTo(15 * 1024 + 100);
  const auto rest = countTo(2 * 1024);
  std::atomic<int> begun{0};
  const auto last = parallel(delay([&] { ++begun; }));
  const auto masked = mask(tuple2(parallel(rest), parallel(now())));
  const std::vector<UnitContinuation<void>> branches{
      most.flatMap([=](int) { return tuple2(parallel(rest), last).map([](const auto&) {}); }),
      most.flatMap([=](int) { return tuple2(parallel(masked), last).map([](const auto&) {}); })};
  for (const auto& branch : branches) {
    Delivery<std::variant<Unit, int>> raced;
    {
      ThreadPool pool(1);
      race(branch, delay([] { return 2; })).onComplete(raced.callback(), pool);
      CHECK(raced.outcome().get() == std::variant<Unit, int>(std::in_place_index<1>, 2));
    }
    CHECK(begun.exchange(0) == 0);
  }
}

TEST_CASE(
    "if more programs never wait than there are threads, they change threads, one step after the other") {
  constexpr int runs = 5;
  std::latch allMoved(runs);
  std::vector<Delivery<void>> deliveries(runs);
  std::vector<std::uint64_t> rounds(runs);  // not atomic: ThreadSanitizer sees steps that overlap
  {
    ThreadPool pool(2);
    for (std::size_t i = 0; i < runs; ++i) {
      auto round = [&rounds, &allMoved, i] {
        if (++rounds[i] == 20'000) allMoved.count_down();
      };
      forever(delay(round)).onComplete(deliveries[i].callback(), pool);
    }
    allMoved.wait();
  }
  for (auto& delivery : deliveries) CHECK(delivery.outcome().isCancelled());
  for (const auto each : rounds) CHECK(each >= 20'000);
}

TEST_CASE("a scheduler of tests does not end the turn of a run, unless a number of steps is set") {
  const auto stepsOf = [](std::uint32_t stepsPerTurn, std::uint64_t seed) {
    testing::Scheduler scheduler(seed);
    scheduler.setStepsPerTurn(stepsPerTurn);
    std::string order;
    const auto note = [&order](char name) {
      return tailRecM(0, [&order, name](int i) {
        order += name;
        return now(i == 9 ? Step<int, void>::done() : Step<int, void>::next(i + 1));
      });
    };
    CHECK(scheduler.run(tuple2(parallel(note('a')), parallel(note('b')))).hasValue());
    return order;
  };
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const auto whole = stepsOf(0, seed);
    CHECK((whole == "aaaaaaaaaabbbbbbbbbb" || whole == "bbbbbbbbbbaaaaaaaaaa"));
    CHECK(stepsOf(3, seed) == stepsOf(3, seed));
  }
  CHECK(stepsOf(3, 1) != stepsOf(3, 2));
}
