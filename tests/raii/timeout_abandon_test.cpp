#include "tapestry/raii/timeout_abandon.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/thread_pool.hpp>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "support/programs/after.hpp"
#include "support/programs/fake_resource.hpp"
#include "support/programs/runs.hpp"
#include "support/threads/within.hpp"
#include "tapestry/continuation/asio/asio_executor.hpp"
#include "tapestry/raii.hpp"
#include "tapestry/raii/environment.hpp"
#include "tapestry/testing/scheduler.hpp"

using namespace tapestry;
using namespace std::chrono_literals;
using test::after;
using test::Delivery;
using test::FakeResources;
using test::Manual;
using test::outcomeText;
using testing::VirtualClock;

namespace {

/// Collects what is reported.
struct Reports {
  std::vector<std::string> texts;
  auto to() {
    return [this](const std::exception_ptr& error) { texts.push_back(test::errorText(error)); };
  }
};

}  // namespace

TEST_CASE("a program that is in time yields its value to timeoutAbandon, and its resources stay") {
  VirtualClock clock;
  FakeResources fake;
  const auto program = fake.make("a").flatMap(
      [](const auto&) { return after(1ms).map([] { return std::make_unique<int>(1); }); });
  Delivery<int> delivery;
  withClock(clock, timeoutAbandon(program, 2ms).map([&fake](const std::unique_ptr<int>& value) {
    fake.note("use");
    return *value;
  })).onComplete(delivery.callback());
  clock.advance(1ms);
  CHECK(delivery.outcome().get() == 1);
  CHECK(fake.log() == "+a use -a");
  CHECK(clock.waiting() == 0);
}

TEST_CASE("timeoutAbandon works where the program ends at once, with a value or an error") {
  CHECK(timeoutAbandon(Do<int>::now(1), 1h).blockingAwait() == 1);
  CHECK_NOTHROW(timeoutAbandon(Do<void>::now(), 1h).blockingAwait());
  const auto failing = timeoutAbandon(Do<int>::raiseError(std::runtime_error("no")), 1h);
  CHECK(failing.handleError([](const auto&) { return Do<int>::now(2); }).blockingAwait() == 2);
}

TEST_CASE("a callback that does not come holds up no timeoutAbandon, and what comes late is released") {
  VirtualClock clock;
  FakeResources fake;
  Manual<void> manual;
  Reports reports;
  const auto late =
      fake.failingRelease("a").flatMap([&](const std::string&) { return Do<void>::lift(manual.deaf()); });
  Delivery<void> delivery;
  withClock(clock, timeoutAbandon(late, 2ms, reports.to())).onComplete(delivery.callback());
  clock.advance(2ms);
  CHECK(outcomeText(delivery.outcome()) == TimeoutError().what());
  CHECK(fake.log() == "+a");
  manual.take()();
  CHECK(fake.log() == "+a -a");
  CHECK(reports.texts == std::vector<std::string>{"release a"});
}

TEST_CASE("a program that is late is asked to stop, which is not an error") {
  VirtualClock clock;
  FakeResources fake;
  Reports reports;
  const auto late = fake.make("a").flatMap([](const auto&) { return after(5ms); });
  Delivery<void> delivery;
  withClock(clock, timeoutAbandon(late, 2ms, reports.to())).onComplete(delivery.callback());
  clock.advance(2ms);
  CHECK(outcomeText(delivery.outcome()) == TimeoutError().what());
  CHECK(fake.log() == "+a -a");
  CHECK(reports.texts.empty());
  CHECK(clock.waiting() == 0);
}

TEST_CASE("an error that comes too late is reported, and a report that throws is ignored") {
  VirtualClock clock;
  Manual<void> manual;
  Reports reports;
  const auto late = Do<void>::lift(manual.deaf()).map([] { throw std::runtime_error("late"); });
  Delivery<void> delivery;
  withClock(clock, timeoutAbandon(late, 1ms, reports.to())).onComplete(delivery.callback());
  withClock(clock, timeoutAbandon(late, 1ms, [](const auto&) { throw std::logic_error("report"); }))
      .onComplete([](const auto&) {});
  withClock(clock, timeoutAbandon(late, 1ms)).onComplete([](const auto&) {});
  clock.advance(1ms);
  CHECK(delivery.count() == 1);
  for (int i = 0; i < 3; ++i) manual.take()();
  CHECK(reports.texts == std::vector<std::string>{"late"});
}

TEST_CASE("a program that throws Cancelled too late has no error to report but those of its releases") {
  VirtualClock clock;
  FakeResources fake;
  Manual<void> manual;
  Reports reports;
  const auto cancelling = Do<void>::lift(manual.deaf()).map([] { throw Cancelled(); });
  const auto scope = mask(fake.failingRelease("a").map([](const auto&) { throw Cancelled(); }).run());
  const auto failing = Do<void>::lift(manual.deaf()).flatMap([scope] { return scope; });
  for (const auto& late : {mask(cancelling), cancelling, mask(failing)})
    withClock(clock, timeoutAbandon(late, 1ms, reports.to())).onComplete([](const auto&) {});
  clock.advance(1ms);
  for (int i = 0; i < 3; ++i) manual.take()();
  CHECK(reports.texts == std::vector<std::string>{"release a"});
}

TEST_CASE("timeoutAbandon that is cancelled does not wait for the program either") {
  FakeResources fake;
  Manual<void> manual;
  const StopSource source;
  Delivery<void> delivery;
  const auto waiting =
      fake.make("a").flatMap([&](const std::string&) { return Do<void>::lift(manual.program()); });
  timeoutAbandon(waiting, 1h).onComplete(delivery.callback(), source.token());
  source.requestStop();
  CHECK(delivery.outcome().isCancelled());
  manual.take()();
  CHECK(fake.log() == "+a -a");
}

TEST_CASE("timeoutAbandon in a run that was asked to stop begins nothing") {
  const StopSource source;
  source.requestStop();
  FakeResources fake;
  CHECK_THROWS_AS(timeoutAbandon(fake.make("a"), 1h).blockingAwait(source.token()), Cancelled);
  CHECK(fake.log().empty());
}

TEST_CASE("timeoutAbandon on a pool runs the program there, also when it never suspends") {
  std::atomic<bool> go{false};  // outlives the pool, which waits for what was abandoned
  ThreadPool pool(2);
  const auto busy = Do<int>::delay([&go] {
    while (!go) std::this_thread::yield();
    return 1;
  });
  Delivery<int> delivery;
  timeoutAbandon(busy, 5ms).onComplete(delivery.callback(), pool);
  CHECK(outcomeText(delivery.outcome()) == TimeoutError().what());
  go = true;
  const auto worker = Do<std::thread::id>::delay([] { return std::this_thread::get_id(); });
  CHECK(timeoutAbandon(worker, 1h).blockingAwait(pool) != std::this_thread::get_id());
}

TEST_CASE("a program that timeoutAbandon leaves behind on a thread of Asio gets the request to stop") {
  // where time is over before a thread has come to the program, it does not begin
  for (int begun = 0; begun < 20;) {
    boost::asio::thread_pool threads(2);
    AsioExecutor executor(threads.get_executor());
    std::atomic<int> begins{0}, stops{0};
    const auto begin = Do<void>::delay([&] { ++begins; });
    const auto endless = begin.flatMap(
        [] { return tailRecM(0, [](int) { return Do<Step<int, int>>::now(Step<int, int>::next(0)); }); });
    const auto program = ensure(endless, Do<void>::delay([&] { ++stops; }));
    Delivery<int> delivery;
    timeoutAbandon(program, 1ms).onComplete(delivery.callback(), executor);
    CHECK(outcomeText(delivery.outcome()) == TimeoutError().what());
    threads.join();
    CHECK((begins == 0 || stops == 1));
    begun += begins;
  }
}

TEST_CASE("a program that timeoutAbandon leaves behind on another executor releases what it yields") {
  boost::asio::io_context others;
  AsioExecutor other(others);
  auto context = std::make_unique<boost::asio::io_context>();
  auto executor = std::make_unique<AsioExecutor>(*context);
  VirtualClock clock;
  FakeResources fake;
  Manual<int> manual;
  Delivery<std::string> delivery;
  const auto program = Do<void>::lift(shift(other)).flatMap([&] {
    return mask(Do<int>::lift(manual.deaf()).flatMap([&](int) { return fake.make("a"); }));
  });
  const auto run = Do<void>::lift(shift(*executor)).flatMap([&] { return timeoutAbandon(program, 5ms); });
  withClock(clock, run).onComplete(delivery.callback());
  context->poll();
  others.poll();
  clock.advance(5ms);
  context->poll();
  CHECK(outcomeText(delivery.outcome()) == TimeoutError().what());
  executor.reset();
  context.reset();
  manual.take()(1);
  others.restart();
  others.poll();
  CHECK(fake.log() == "+a -a");
}

TEST_CASE("a program that timeoutAbandon leaves behind may continue in parallel when its caller is back") {
  ThreadPool pool(2);
  std::atomic<bool> back{false};
  std::atomic<int> branches{0};
  {
    const auto branch = Do<void>::delay([&] { ++branches; });
    const auto forks = tailRecM(0, [&](int i) {
      return tuple2(parallel(branch), parallel(branch)).map([i](const auto&) {
        return i < 1000 ? Step<int, int>::next(i + 1) : Step<int, int>::done(i);
      });
    });
    const auto late = Do<void>::delay([&] {
                        while (!back) std::this_thread::yield();
                      }).flatMap([&] { return forks; });
    CHECK_THROWS_AS(timeoutAbandon(mask(late), 100ms).blockingAwait(pool), TimeoutError);
    back = true;
    CHECK(test::within(10s, [&] { return branches == 2 * 1001; }));
  }
}

TEST_CASE("whenever time is over, or a request to stop comes, timeoutAbandon releases what there is") {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    FakeResources fake;
    const auto make = [&fake] {
      return timeoutAbandon(fake.make("a").flatMap([&fake](const std::string&) {
               return after(2ms).flatMap([&fake] { return fake.make("b"); });
             }),
                            2ms)
          .map([](const std::string&) { return 1; });
    };
    const auto runs = testing::cancelAtEveryStep(
        make,
        [&fake](const Outcome<int>& outcome, std::size_t) {
          INFO(outcomeText(outcome) << " after " << fake.log());
          CHECK(fake.open() == 0);
          CHECK(fake.faults().empty());
        },
        seed);
    CHECK(runs > 3);
  }
}

TEST_CASE("many programs that end about when their time is over lose no resource on a pool") {
  std::atomic<int> open{0};
  {
    ThreadPool pool(3);
    const auto held = resource(Do<int>::delay([&open] { return ++open; }), [&open](int) { --open; });
    std::vector<Do<int>> programs;
    for (int i = 0; i < 200; ++i)
      programs.push_back(
          timeoutAbandon(held.flatMap([](int) { return after(std::chrono::microseconds(300)); }),
                         std::chrono::microseconds(300))
              .map([] { return 1; })
              .handleError([](const auto&) { return Do<int>::now(0); }));
    CHECK(parSequence(programs).blockingAwait(pool).size() == 200);
  }
  CHECK(open == 0);
}
