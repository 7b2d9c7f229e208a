#include "tapestry/distributed/local_communicator.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <functional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "support/error_text.hpp"
#include "support/programs/delivery.hpp"
#include "support/programs/dumped_runs.hpp"
#include "support/ranks/ranks.hpp"
#include "support/sanitizers.hpp"
#include "support/threads/executors.hpp"
#include "support/threads/on_threads.hpp"
#include "tapestry/concurrent/event.hpp"
#include "tapestry/continuation/sleep_for.hpp"
#include "tapestry/distributed/rank_error.hpp"
#include "tapestry/raii/do_tuple2.hpp"
#include "tapestry/raii/environment.hpp"
#include "tapestry/raii/lift.hpp"
#include "tapestry/raii/par_traverse.hpp"
#include "tapestry/raii/race.hpp"
#include "tapestry/raii/timeout.hpp"
#include "tapestry/testing/scheduler.hpp"

using namespace tapestry;
using namespace std::chrono_literals;
using test::Delivery;
using test::errorOf;
using test::outcomeText;
using testing::Scheduler;

namespace {

const Bytes oneByte(1);

std::vector<std::string> endsOf(Scheduler& scheduler, const std::vector<LocalCommunicator>& all,
                                std::function<Do<void>(const LocalCommunicator&)> body) {
  return scheduler.run(test::onAllRanks(all, std::move(body))).get();
}

}  // namespace

TEST_CASE("nothing happens before a collective is run") {
  const auto all = localCommunicators(2);
  static_cast<void>(all[0].barrier());
  std::vector<float> values{1};
  static_cast<void>(all[0].allReduce(std::span<float>(values)));
  Delivery<void> end;
  all[1].barrier().onComplete(end.callback());
  CHECK(end.count() == 0);
  all[0].barrier().blockingAwait();
  CHECK(end.count() == 1);
}

TEST_CASE("a local communicator of no ranks is refused") {
  CHECK(errorOf([] { return localCommunicators(0); }) ==
        "tapestry::localCommunicators: there are no ranks, got 0, expected 1 or more");
}

TEST_CASE("a collective may begin before the last has ended") {
  const auto all = localCommunicators(2);
  std::vector<double> first{1}, second{10};
  Delivery<void> ends[2];
  all[0].allReduce(std::span<double>(first)).onComplete(ends[0].callback());
  all[0].allReduce(std::span<double>(second)).onComplete(ends[1].callback());
  std::vector<double> others{2};
  all[1].allReduce(std::span<double>(others)).blockingAwait();
  CHECK(ends[0].count() == 1);
  CHECK(ends[1].count() == 0);
  others = {20};
  all[1].allReduce(std::span<double>(others)).blockingAwait();
  CHECK(first[0] == 3);
  CHECK(second[0] == 30);
  CHECK(others[0] == 30);
}

TEST_CASE("a rank that does not come fails all others at the time limit, and breaks the communicator") {
  const auto all = localCommunicators(4, {.timeLimit = 5s});
  Scheduler scheduler;
  const auto body = [&](const LocalCommunicator& c) -> Do<void> {
    if (c.rank() == 2) return Do<void>::now();
    auto values = std::make_shared<std::vector<float>>(3);
    return c.allReduce(std::span<float>(*values)).map([values] {});
  };
  const std::string text =
      "tapestry::Communicator: rank 2 did not come to allReduce (sum of 3 floats) within 5 s, expected all 4 "
      "ranks";
  CHECK(endsOf(scheduler, all, body) == std::vector<std::string>{text, text, "value", text});
  CHECK(scheduler.clock().now() == Clock::TimePoint(5s));
  const auto later = [](const LocalCommunicator& c) { return c.barrier(); };
  CHECK(endsOf(scheduler, all, later) == std::vector<std::string>(4, text));
  CHECK(scheduler.clock().now() == Clock::TimePoint(5s));
  try {
    all[0].barrier().blockingAwait();
    FAIL("expected RankError");
  } catch (const RankError& error) {
    CHECK(error.rank() == 2);
  }
}

TEST_CASE("all collectives that wait fail with the first, and name all ranks that are missing") {
  const auto all = localCommunicators(3, {.timeLimit = 1s});
  Scheduler scheduler;
  Delivery<void> first, second;
  withClock(scheduler.clock(), all[0].barrier()).onComplete(first.callback());
  withClock(scheduler.clock(), all[0].allGather(oneByte).map([](const auto&) {
  })).onComplete(second.callback());
  scheduler.clock().advance(1s);
  const std::string text =
      "tapestry::Communicator: ranks 1 and 2 did not come to barrier within 1 s, expected all 3 ranks";
  CHECK(outcomeText(first.outcome()) == text);
  CHECK(outcomeText(second.outcome()) == text);
  CHECK(scheduler.clock().waiting() == 0);
}

TEST_CASE("values without an owner are not touched by a collective that has failed") {
  const auto all = localCommunicators(2, {.timeLimit = 1s});
  Scheduler scheduler;
  Delivery<void> end;
  auto values = std::make_unique<std::vector<float>>(3, 7.0F);
  withClock(scheduler.clock(), all[0].allReduce(std::span<float>(*values))).onComplete(end.callback());
  scheduler.clock().advance(1s);
  CHECK(end.count() == 1);
  CHECK(*values == std::vector<float>(3, 7.0F));
  values.reset();
  std::vector<float> others(3, 1.0F);
  CHECK(errorOf([&] { return all[1].allReduce(std::span<float>(others)).blockingAwait(), 0; }) != "none");
  CHECK(others == std::vector<float>(3, 1.0F));
}

TEST_CASE("ranks that run different collectives all fail, and the next collective works") {
  const auto all = localCommunicators(3);
  Scheduler scheduler;
  const auto wrong = [](const LocalCommunicator& c) {
    return c.rank() == 1 ? c.barrier() : c.allGather(oneByte).map([](const auto&) {});
  };
  const std::string text =
      "tapestry::Communicator: the ranks run different collectives, got barrier on rank 1, expected "
      "allGather "
      "as on rank 0";
  CHECK(endsOf(scheduler, all, wrong) == std::vector<std::string>(3, text));
  const auto right = [](const LocalCommunicator& c) { return c.barrier(); };
  CHECK(endsOf(scheduler, all, right) == std::vector<std::string>(3, "value"));
}

TEST_CASE("buffers of different sizes fail all ranks") {
  Scheduler scheduler;
  const auto wrong = [](const LocalCommunicator& c) {
    auto values = std::make_shared<std::vector<double>>(c.rank() + 2);
    return c.allReduce(std::span<double>(*values), ReduceOp::max).map([values] {});
  };
  CHECK(endsOf(scheduler, localCommunicators(2), wrong) ==
        std::vector<std::string>(2,
                                 "tapestry::Communicator: the ranks run different collectives, got allReduce "
                                 "(maximum of 3 doubles) on rank 1, expected allReduce (maximum of 2 "
                                 "doubles) as on rank 0"));
}

TEST_CASE("a root that is no rank fails all ranks") {
  Scheduler scheduler;
  const auto wrong = [](const LocalCommunicator& c) {
    return c.broadcast(oneByte, 2).map([](const auto&) {});
  };
  CHECK(endsOf(scheduler, localCommunicators(2), wrong) ==
        std::vector<std::string>(2,
                                 "tapestry::Communicator: there is no such root, got broadcast (root 2), "
                                 "expected a root less than 2"));
  CHECK(endsOf(scheduler, localCommunicators(1), wrong).front().find("less than 1") != std::string::npos);
}

TEST_CASE("messages to no rank and with no tag are refused") {
  const auto c = localCommunicators(2)[0];
  CHECK(errorOf([&] { return c.send(oneByte, 2, 0).blockingAwait(), 0; }) ==
        "tapestry::Communicator::send: there is no such rank, got 2, expected less than 2");
  CHECK(errorOf([&] { return c.receive(5, 0).blockingAwait(); }) ==
        "tapestry::Communicator::receive: there is no such rank, got 5, expected less than 2");
  CHECK(errorOf([&] { return c.send(oneByte, 1, -1).blockingAwait(), 0; }) ==
        "tapestry::Communicator::send: the tag is out of range, got -1, expected 0 to 32766");
}

TEST_CASE("a rank that leaves fails the collectives that it has not begun, at once") {
  auto all = localCommunicators(2);
  Delivery<void> begun, waiting, later;
  Delivery<Message> message;
  {
    const LocalCommunicator leaver = std::move(all.back());
    all.pop_back();
    Delivery<void> own;
    all[0].barrier().onComplete(begun.callback());
    leaver.barrier().onComplete(own.callback());
    all[0].barrier().onComplete(waiting.callback());
    all[0].receive(std::nullopt, 1).onComplete(message.callback());
    CHECK(waiting.count() == 0);
    CHECK(message.count() == 0);
  }
  CHECK(outcomeText(begun.outcome()) == "value");
  const std::string text = "tapestry::Communicator: rank 1 has left before barrier, expected all 2 ranks";
  CHECK(outcomeText(waiting.outcome()) == text);
  CHECK(outcomeText(message.outcome()) ==
        "tapestry::Communicator::receive: rank 1 has left, expected a message of tag 1");
  all[0].barrier().onComplete(later.callback());
  CHECK(outcomeText(later.outcome()) == text);
}

TEST_CASE("a message that was sent before its sender left is received") {
  auto all = localCommunicators(2);
  all[1].send(oneByte, 0, 9).blockingAwait();
  all.pop_back();
  CHECK(all[0].receive(1, 9).blockingAwait().bytes == oneByte);
  CHECK(errorOf([&] { return all[0].receive(1, 9).blockingAwait(); }) ==
        "tapestry::Communicator::receive: rank 1 has left, expected a message of tag 9");
}

TEST_CASE(
    "a collective that has begun ends although its run is asked to stop, and sooner it does not begin") {
  const auto all = localCommunicators(2);
  const StopSource stop;
  Delivery<void> begun, second;
  all[0].barrier().onComplete(begun.callback(), stop.token());
  stop.requestStop();
  CHECK(begun.count() == 0);
  all[0].barrier().onComplete(second.callback(), stop.token());
  CHECK(outcomeText(second.outcome()) == "cancelled");
  all[1].barrier().blockingAwait();
  CHECK(begun.count() == 1);
  // the collective that was stopped in time has no place in the order
  Delivery<void> third;
  all[0].barrier().onComplete(third.callback());
  CHECK(third.count() == 0);
  all[1].barrier().blockingAwait();
  CHECK(third.count() == 1);
}

TEST_CASE("a receive that is asked to stop ends at once, and takes no message") {
  const auto all = localCommunicators(2);
  const StopSource stop;
  Delivery<Message> stopped;
  all[0].receive(1, 0).onComplete(stopped.callback(), stop.token());
  stop.requestStop();
  CHECK(outcomeText(stopped.outcome()) == "cancelled");
  all[1].send(oneByte, 0, 0).blockingAwait();
  CHECK(all[0].receive(1, 0).blockingAwait().bytes == oneByte);
}

TEST_CASE("a message that a race has received and discards goes to the next receive") {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const auto c = localCommunicators(1)[0];
    const auto sending = lift(sleepFor(1ms)).flatMap([c] { return c.send(Bytes(7), 0, 7); }).flatMap([c] {
      return c.send(Bytes(8), 0, 8);
    });
    const auto either =
        timeout(race(c.receive(0, 7), c.receive(0, 8)), 1s)
            .map([](const std::variant<Message, Message>& end) {
              return std::visit([](const Message& message) { return message.bytes.size(); }, end);
            });
    const auto receiving = either.flatMap([either](std::size_t first) {
      return either.map([first](std::size_t next) { return first + next; });
    });
    Scheduler scheduler(seed);
    const auto end = scheduler.run(tuple2(parallel(sending), parallel(receiving)).map([](const auto& both) {
      return std::get<1>(both);
    }));
    REQUIRE_MESSAGE(end.hasValue(), outcomeText(end));
    CHECK(end.get() == 7 + 8);
  }
}

TEST_CASE("messages that receives give back keep their order") {
  const auto all = localCommunicators(2);
  for (const std::size_t length : {1, 2, 3}) all[1].send(Bytes(length), 0, 7).blockingAwait();
  const auto receive = all[0].receive(1, 7);
  const Event second;
  const StopSource stop;
  Delivery<void> stopped;
  // the second branch gets the first message, and the first branch the second
  const std::vector<Do<Message>> branches{second.wait().flatMap([receive] { return receive; }), receive,
                                          all[0].receive(1, 9)};
  parTraverse(branches, 3, [](const Do<Message>& each) {
    return each;
  }).map([](const std::vector<Message>&) {
    }).onComplete(stopped.callback(), stop.token());
  second.set();
  stop.requestStop();
  CHECK(outcomeText(stopped.outcome()) == "cancelled");
  for (const std::size_t length : {1, 2, 3}) CHECK(receive.blockingAwait().bytes.size() == length);
}

TEST_CASE("dumpRuns names the collective that a rank waits for") {
  const auto all = localCommunicators(2);
  Delivery<void> end;
  all[0].barrier().named("rank 0").onComplete(end.callback());
  const auto lines = test::dumpedRuns();
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].find("\"rank 0\"") == 0);
  CHECK(lines[0].find("waits for Communicator::barrier") != std::string::npos);
  all[1].barrier().blockingAwait();
  CHECK(end.count() == 1);
}

TEST_CASE("a request to stop at any step ends all ranks, also ranks that wait for a rank that has stopped") {
  std::size_t runs = 0;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const auto make = [] {
      return test::onAllRanks(localCommunicators(3), [](const LocalCommunicator& c) {
        return c.barrier().flatMap([c] { return c.allGather(oneByte); }).map([](const auto&) {});
      });
    };
    const auto check = [&](const auto& outcome, std::size_t) {
      const auto text = outcomeText(outcome);
      CHECK((text == "value" || text == "cancelled" || text.find("did not come to") != std::string::npos));
    };
    runs += testing::cancelAtEveryStep(make, check, seed);
  }
  CHECK(runs > 50);
}

TEST_CASE("a network that takes time delays each collective from its last rank on") {
  LocalOptions options;
  options.delay = [](std::size_t bytes) { return 1ms + bytes * 1us; };
  const auto all = localCommunicators(2, options);
  testing::VirtualClock clock;
  std::vector<float> first(250, 1.0F), second(250, 2.0F);
  Delivery<void> ends[2];
  withClock(clock, all[0].allReduce(std::span<float>(first))).onComplete(ends[0].callback());
  clock.advance(10ms);
  withClock(clock, all[1].allReduce(std::span<float>(second))).onComplete(ends[1].callback());
  clock.advance(2ms - 1us);
  CHECK(ends[0].count() + ends[1].count() == 0);
  clock.advance(1us);
  CHECK(ends[0].count() + ends[1].count() == 2);
  CHECK(first == std::vector<float>(250, 3.0F));
  CHECK(clock.waiting() == 0);
}

TEST_CASE("an exception while a collective is computed fails all ranks, and the next collective works") {
  bool fails = true;
  LocalOptions options;
  options.delay = [&fails](std::size_t) -> Clock::Duration {
    if (std::exchange(fails, false)) throw std::runtime_error("out of memory");
    return {};
  };
  const auto all = localCommunicators(3, options);
  Scheduler scheduler;
  const auto meet = [](const LocalCommunicator& c) { return c.barrier(); };
  CHECK(endsOf(scheduler, all, meet) == std::vector<std::string>(3, "out of memory"));
  CHECK(endsOf(scheduler, all, meet) == std::vector<std::string>(3, "value"));
}

TEST_CASE("an executor that refuses a rank fails it alone") {
  test::QueueExecutor executor;
  const auto all = localCommunicators(2);
  Delivery<void> refused;
  std::vector<float> values(2, 1.0F), others(2, 2.0F);
  all[0].allReduce(std::span<float>(values)).onComplete(refused.callback(), executor);
  executor.work();
  executor.stop();
  all[1].allReduce(std::span<float>(others)).blockingAwait();
  CHECK(test::isError<ExecutorStopped>(refused.outcome().error()));
  CHECK(others == std::vector<float>(2, 3.0F));
  CHECK(values == std::vector<float>(2, 1.0F));
}

TEST_CASE("a message whose receiver is refused by its executor goes to the next receiver") {
  test::QueueExecutor executor;
  const auto all = localCommunicators(2);
  Delivery<Message> refused, next;
  all[0].receive(1, 9).onComplete(refused.callback(), executor);
  executor.work();
  all[0].receive(1, 9).onComplete(next.callback());
  executor.stop();
  all[1].send(oneByte, 0, 9).blockingAwait();
  CHECK(test::isError<ExecutorStopped>(refused.outcome().error()));
  REQUIRE(next.count() == 1);
  CHECK(next.outcome().get().bytes == oneByte);
}

TEST_CASE("threads of four ranks reduce a thousand times") {
  const auto all = localCommunicators(4);
  const int rounds = test::underThreadSanitizer ? 200 : 1'000;
  test::onThreads(4, [&](int rank) {
    for (int i = 0; i < rounds; ++i) {
      std::vector<std::uint64_t> values{std::uint64_t(i + rank)};
      all[std::size_t(rank)].allReduce(std::span<std::uint64_t>(values)).blockingAwait();
      CHECK(values[0] == std::uint64_t(4 * i + 6));
    }
  });
}
