#include "tapestry/concurrent/channel.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "support/programs/runs.hpp"
#include "support/programs/send_all.hpp"
#include "support/threads/executors.hpp"
#include "tapestry/concurrent/event.hpp"
#include "tapestry/concurrent/mutex.hpp"
#include "tapestry/continuation/sleep_for.hpp"
#include "tapestry/continuation/stop.hpp"
#include "tapestry/raii.hpp"
#include "tapestry/raii/environment.hpp"
#include "tapestry/raii/par_traverse.hpp"
#include "tapestry/raii/pool.hpp"
#include "tapestry/raii/race.hpp"
#include "tapestry/raii/repeat.hpp"
#include "tapestry/raii/retry.hpp"
#include "tapestry/raii/scoped.hpp"
#include "tapestry/raii/timeout.hpp"
#include "tapestry/testing/scheduler.hpp"

using namespace tapestry;
using namespace std::chrono_literals;
using test::Delivery;
using test::errorOf;
using test::outcomeText;
using test::sendAll;
using testing::cancelAtEveryStep;
using testing::Scheduler;

namespace {

/// A run that was started, and how it has ended.
template <class A>
class Started {
 public:
  explicit Started(const Do<A>& program) { program.onComplete(delivery_.callback(), stop_.token()); }
  bool ended() const { return delivery_.count() == 1; }
  std::string text() { return ended() ? outcomeText(delivery_.outcome()) : "waits"; }
  A get() { return delivery_.outcome().get(); }
  void stop() const { stop_.requestStop(); }

 private:
  StopSource stop_;
  Delivery<A> delivery_;
};

std::vector<int> drained(const Channel<int>& channel) {
  std::vector<int> items;
  while (const auto item = channel.tryReceive()) items.push_back(*item);
  return items;
}

using Ints = std::vector<int>;

}  // namespace

TEST_CASE("items are received in the order in which they were sent") {
  const Channel<int> channel(3);
  for (const int item : {1, 2, 3}) channel.send(item).blockingAwait();
  CHECK(channel.size() == 3);
  for (const int item : {1, 2, 3}) CHECK(channel.receive().blockingAwait() == item);
  CHECK(channel.size() == 0);
}

TEST_CASE("a send waits while the channel is full, and its item comes after those before it") {
  const Channel<int> channel(1);
  channel.send(1).blockingAwait();
  Started second(channel.send(2)), third(channel.send(3));
  CHECK_FALSE(second.ended());
  CHECK(channel.receive().blockingAwait() == 1);
  CHECK(second.ended());
  CHECK_FALSE(third.ended());
  CHECK(channel.receive().blockingAwait() == 2);
  CHECK(third.ended());
  CHECK(channel.receive().blockingAwait() == 3);
}

TEST_CASE("receives that wait are served in the order of arrival") {
  const Channel<int> channel(1);
  Started first(channel.receive()), second(channel.receive());
  CHECK(channel.trySend(1));
  CHECK(first.get() == 1);
  CHECK_FALSE(second.ended());
  CHECK(channel.trySend(2));
  CHECK(second.get() == 2);
}

TEST_CASE("with capacity 0 a send waits for its receive") {
  const Channel<int> channel(0);
  CHECK_FALSE(channel.trySend(1));
  Started send(channel.send(2));
  CHECK_FALSE(send.ended());
  CHECK(channel.size() == 0);
  CHECK(channel.receive().blockingAwait() == 2);
  CHECK(send.ended());
  Started receive(channel.receive());
  CHECK(channel.trySend(3));
  CHECK(receive.get() == 3);
}

TEST_CASE("in an unbounded channel no send waits") {
  const auto channel = Channel<int>::unbounded();
  for (int i = 0; i < 1000; ++i) channel.send(i).blockingAwait();
  CHECK(channel.size() == 1000);
}

TEST_CASE("a move-only item is sent as it is made, and received") {
  const Channel<std::unique_ptr<int>> channel(1);
  channel.sendMade([] { return std::make_unique<int>(7); }).blockingAwait();
  auto refused = std::make_unique<int>(8);
  CHECK_FALSE(channel.trySend(std::move(refused)));
  CHECK(*refused == 8);
  CHECK(*channel.receive().blockingAwait() == 7);
}

TEST_CASE("a send fails with what making its item throws, and sends nothing") {
  const Channel<int> channel(1);
  const auto send = channel.sendMade([]() -> int { throw std::runtime_error("no item"); });
  CHECK(errorOf([&] { send.blockingAwait(); }) == "no item");
  CHECK(channel.size() == 0);
}

TEST_CASE("receiveSome yields the available items, in order, and as many waiting sends continue") {
  const Channel<int> channel(2);
  for (const int item : {1, 2}) channel.trySend(item);
  Started third(channel.send(3)), fourth(channel.send(4));
  CHECK(channel.receiveSome(3).blockingAwait() == Ints{1, 2, 3});
  CHECK(third.ended());
  CHECK(fourth.ended());
  CHECK(channel.receiveSome(9).blockingAwait() == Ints{4});
}

TEST_CASE("a closed channel gives the remaining items, and then the end") {
  const Channel<int> channel(4);
  for (const int item : {1, 2, 3}) channel.trySend(item);
  CHECK(channel.close());
  CHECK_FALSE(channel.close());
  CHECK(channel.isClosed());
  CHECK(channel.receive().blockingAwait() == 1);
  CHECK(channel.receiveOrEnd().blockingAwait() == 2);
  CHECK(channel.receiveSome(5).blockingAwait() == Ints{3});
  CHECK(errorOf([&] { channel.receive().blockingAwait(); }) == Closed().what());
  CHECK(channel.receiveOrEnd().blockingAwait() == std::nullopt);
  CHECK(channel.receiveSome(5).blockingAwait().empty());
  CHECK(channel.tryReceive() == std::nullopt);
}

TEST_CASE("a closed channel takes nothing, and fails sends with Closed") {
  const Channel<int> channel(4);
  channel.close();
  CHECK_FALSE(channel.trySend(1));
  CHECK(errorOf([&] { channel.send(1).blockingAwait(); }) == Closed().what());
  CHECK(channel.size() == 0);
}

TEST_CASE("closing a channel ends all waits") {
  const Channel<int> full(0), empty(1);
  Started send(full.send(1));
  Started receive(empty.receive());
  Started end(empty.receiveOrEnd());
  full.close();
  empty.close();
  CHECK(send.text() == Closed().what());
  CHECK(receive.text() == Closed().what());
  CHECK(end.get() == std::nullopt);
  CHECK(full.tryReceive() == std::nullopt);
}

TEST_CASE("a channel that was closed with an error fails with it") {
  const Channel<int> channel(1);
  channel.trySend(1);
  channel.close(std::make_exception_ptr(std::runtime_error("disk full")));
  CHECK(errorOf([&] { channel.send(1).blockingAwait(); }) == "disk full");
  CHECK(channel.receive().blockingAwait() == 1);
  CHECK(errorOf([&] { channel.receive().blockingAwait(); }) == "disk full");
  CHECK(errorOf([&] { static_cast<void>(channel.receiveOrEnd().blockingAwait()); }) == "disk full");
  CHECK(errorOf([&] { static_cast<void>(channel.receiveSome(2).blockingAwait()); }) == "disk full");
}

TEST_CASE("a channel refuses a capacity below 0, and a receive of no items") {
  CHECK(errorOf([] { Channel<int>(-1); }) == "tapestry::Channel: the capacity is -1, expected at least 0");
  const Channel<int> channel(1);
  CHECK(errorOf([&] { static_cast<void>(channel.receiveSome(0)); }) ==
        "tapestry::Channel::receiveSome: the number of items is 0, expected at least 1");
}

TEST_CASE("a send that is asked to stop has not sent") {
  const Channel<int> channel(1);
  channel.trySend(1);
  Started send(channel.send(2));
  send.stop();
  CHECK(send.text() == "cancelled");
  CHECK(drained(channel) == Ints{1});
}

TEST_CASE("a receive that is asked to stop takes nothing") {
  const Channel<int> channel(1);
  Started stopped(channel.receive()), other(channel.receive());
  stopped.stop();
  CHECK(stopped.text() == "cancelled");
  channel.trySend(1);
  CHECK(other.get() == 1);
}

TEST_CASE("a masked receive ignores a request to stop") {
  const Channel<int> channel(1);
  Started receive(mask(channel.receive()));
  receive.stop();
  CHECK_FALSE(receive.ended());
  channel.trySend(1);
  CHECK(receive.ended());
}

TEST_CASE("an item that reaches a run which is asked to stop becomes the first one again") {
  const Channel<int> channel(2);
  test::QueueExecutor executor;
  StopSource stop;
  bool used = false;
  Delivery<int> delivery;
  channel.receive()
      .flatMap([&](int item) {
        used = true;
        return Do<int>::now(item);
      })
      .onComplete(delivery.callback(), executor, stop.token());
  executor.work();
  channel.trySend(1);  // received, and not yet seen by the run
  channel.trySend(2);
  stop.requestStop();
  executor.work();
  CHECK(outcomeText(delivery.outcome()) == "cancelled");
  CHECK_FALSE(used);
  CHECK(drained(channel) == Ints{1, 2});
}

TEST_CASE("an item that was given back goes to a receive that waits") {
  const Channel<int> channel(0);
  test::QueueExecutor executor;
  StopSource stop;
  Delivery<std::vector<int>> first;
  channel.receiveSome(3).onComplete(first.callback(), executor, stop.token());
  executor.work();
  channel.trySend(1);
  Started second(channel.receive());
  stop.requestStop();
  executor.work();
  CHECK(second.get() == 1);
}

TEST_CASE("an item for a run that its executor refuses is given back") {
  const Channel<int> channel(1);
  test::QueueExecutor executor;
  Delivery<int> delivery;
  channel.receive().onComplete(delivery.callback(), executor);
  executor.work();
  executor.stop();
  channel.trySend(1);
  CHECK(outcomeText(delivery.outcome()) == ExecutorStopped().what());
  CHECK(drained(channel) == Ints{1});
}

TEST_CASE("a receive that loses a race loses no item, in any order of steps") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Channel<int> left(1), right(1);
    Scheduler scheduler(seed);
    const auto both = tupleN(parallel(left.send(1)), parallel(right.send(2)),
                             parallel(race(left.receive(), right.receiveOrEnd()).map([](const auto& won) {
                               return won.index() == 0 ? std::get<0>(won) : *std::get<1>(won);
                             })));
    const int won = std::get<2>(scheduler.run(both).get());
    Ints items = drained(left);
    for (const int item : drained(right)) items.push_back(item);
    CHECK(items == Ints{3 - won});
  }
}

/// The program, around which a resource is held until the end of the scope.
template <class A>
Do<A> heldAround(const Do<A>& program) {
  return resource(Do<void>::now(), [] {}).flatMap([program] { return program; });
}

/// How many of the racing receives got an item; none of them loses one.
template <class Receive>
void checkLosesNothing(const Receive& receive) {
  bool wasUsed = false, wasLost = false;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Channel<int> channel(1);
    const Event rival;
    const auto sending = Do<void>::lift(sleepFor(1ms)).map([channel, rival] {
      CHECK(channel.trySend(1));
      rival.set();
    });
    const auto both = tuple2(parallel(race(rival.wait(), receive(channel))), parallel(sending));
    const bool used = std::get<0>(Scheduler(seed).run(both).get()).index() == 1;
    (used ? wasUsed : wasLost) = true;
    CHECK(drained(channel) == (used ? Ints{} : Ints{1}));
  }
  CHECK(wasUsed);
  CHECK(wasLost);
}

TEST_CASE("a receive within another program that loses a race loses no item") {
  const auto attempt = [](const Channel<int>& channel) { return channel.receive().attempt(); };
  checkLosesNothing(attempt);
  checkLosesNothing([&](const Channel<int>& channel) { return attempt(channel).attempt(); });
  checkLosesNothing([&](const Channel<int>& channel) { return timeout(attempt(channel), 1h); });
  checkLosesNothing([](const Channel<int>& channel) { return channel.receiveOrEnd().attempt(); });
  checkLosesNothing([](const Channel<int>& channel) { return channel.receive().named("receive").run(); });
  checkLosesNothing([](const Channel<int>& channel) { return retry(channel.receive(), RetryPolicy()); });
  checkLosesNothing([](const Channel<int>& channel) { return mask(channel.receive()); });
  checkLosesNothing([&](const Channel<int>& channel) { return heldAround(attempt(channel)); });
  checkLosesNothing([&](const Channel<int>& channel) { return heldAround(channel.receive()).attempt(); });
  checkLosesNothing([&](const Channel<int>& channel) { return timeout(heldAround(attempt(channel)), 1h); });
  checkLosesNothing([](const Channel<int>& channel) {
    return channel.receive().handleError([](const std::exception_ptr& e) { return Do<int>::raiseError(e); });
  });
}

TEST_CASE("a race that has received, and then loses a race itself, gives the item back") {
  bool wasUsed = false, wasLost = false;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Channel<int> channel(1), other(0);
    const Channel<std::string> silent(1);
    channel.trySend(1);
    Scheduler scheduler(seed);
    const auto rival = other.receive().flatMap([other](int) { return other.receive(); });
    const auto racing = race(race(channel.receive(), silent.receive()), rival);
    const auto rivals = other.send(0).flatMap([other] { return other.send(0); });
    const auto outcome = scheduler.run(race(racing, rivals.flatMap([silent] { return silent.receive(); })));
    const bool used = std::get<0>(outcome.get()).index() == 0;
    (used ? wasUsed : wasLost) = true;
    CHECK(drained(channel) == (used ? Ints{} : Ints{1}));
  }
  CHECK(wasUsed);
  CHECK(wasLost);
}

TEST_CASE("a receive beside a program that fails gives its item back") {
  const Channel<int> channel(1);
  channel.trySend(1);
  const auto failing =
      tupleN(parallel(channel.receive()), parallel(Do<int>::raiseError(std::runtime_error("no"))));
  CHECK(errorOf([&] { static_cast<void>(failing.blockingAwait()); }) == "no");
  CHECK(drained(channel) == Ints{1});
}

TEST_CASE("receives beside a program that fails give their items back in order") {
  const auto failing = Do<int>::raiseError(std::runtime_error("e"));
  const Channel<int> channel(2);
  const auto fill = [&] { return channel.trySend(1) && channel.trySend(2); };
  REQUIRE(fill());
  CHECK_THROWS_AS(
      tupleN(parallel(channel.receive()), parallel(channel.receive()), parallel(failing)).blockingAwait(),
      std::runtime_error);
  CHECK(drained(channel) == std::vector{1, 2});
  REQUIRE(fill());
  Delivery<std::vector<extend::Acquired<int>>> delivery;
  const auto broken = async<extend::Acquired<int>>([](const Callback<extend::Acquired<int>>&) {});
  parTraverse(std::vector{channel.receive().acquire(), channel.receive().acquire(), UnitContinuation(broken)},
              3, [](const auto& acquire) { return acquire; })
      .onComplete(delivery.callback());
  CHECK(delivery.outcome().hasError());
  CHECK(drained(channel) == std::vector{1, 2});
}

TEST_CASE("a receive in a lock beside a program that fails gives its item back, and the lock is released") {
  const Mutex outer, inner;
  const auto failsBeside = [](const auto& receive) {
    const Channel<int> channel(2);
    for (const int item : {1, 2}) channel.trySend(item);
    const auto failing =
        tupleN(parallel(receive(channel)), parallel(Do<int>::raiseError(std::runtime_error("no"))));
    CHECK(errorOf([&] { static_cast<void>(failing.blockingAwait()); }) == "no");
    CHECK(drained(channel) == Ints{1, 2});
  };
  const auto locked = [outer](const auto& program) {
    return outer.lock().flatMap([program] { return program; });
  };
  failsBeside([&](const Channel<int>& channel) { return locked(channel.receive()); });
  failsBeside([&](const Channel<int>& channel) { return locked(channel.receiveOrEnd()); });
  failsBeside([&](const Channel<int>& channel) { return locked(channel.receiveSome(2)); });
  failsBeside([&](const Channel<int>& channel) {
    return inner.lock().flatMap([=] { return locked(channel.receive()); });
  });
  failsBeside([&](const Channel<int>& channel) { return locked(channel.receive()).named("locked"); });
  failsBeside([&](const Channel<int>& channel) { return locked(channel.receive()).attempt(); });
  failsBeside([&](const Channel<int>& channel) { return timeout(locked(channel.receive()), 1h); });
  failsBeside([&](const Channel<int>& channel) {
    const Channel<std::string> silent(1);
    return race(locked(channel.receive()), silent.receive());
  });
  CHECK_FALSE(outer.isLocked());
  CHECK_FALSE(inner.isLocked());
}

TEST_CASE("a function that gets an item received in a lock gets it for good, and the lock is released") {
  const Mutex mutex;
  const Channel<int> channel(1);
  channel.trySend(1);
  const auto received = mutex.lock().flatMap([channel] { return channel.receive(); }).flatMap([](int item) {
    return Do<int>::now(item);
  });
  const auto failing = tupleN(parallel(received), parallel(Do<int>::raiseError("no")));
  CHECK(errorOf([&] { static_cast<void>(failing.blockingAwait()); }) == "no");
  CHECK(channel.size() == 0);
  CHECK_FALSE(mutex.isLocked());
}

TEST_CASE("a receive of some items that are bools gives them back when another program fails") {
  const Channel<bool> channel(2);
  for (const bool item : {true, false}) channel.trySend(bool(item));
  const auto failing = tupleN(parallel(channel.receiveSome(2)), parallel(Do<int>::raiseError("no")));
  CHECK(errorOf([&] { static_cast<void>(failing.blockingAwait()); }) == "no");
  CHECK(channel.receiveSome(2).blockingAwait() == std::vector<bool>{true, false});
}

TEST_CASE("a receive whose errors are handled gives its item back when another program fails") {
  const Channel<int> channel(1);
  channel.trySend(1);
  const auto receiving = channel.receive().handleError(
      [](const std::exception_ptr& error) { return Do<int>::raiseError(error); });
  const auto failing = tupleN(parallel(receiving), parallel(Do<int>::raiseError("refused")));
  CHECK(errorOf([&] { static_cast<void>(failing.blockingAwait()); }) == "refused");
  CHECK(channel.size() == 1);
}

TEST_CASE("an item that wins a race goes back when a release of the loser fails, in any race around it") {
  for (const bool inRace : {false, true}) {
    const Channel<std::string> channel(1);
    const std::string item = "an item that is too long for the small buffer";
    channel.trySend(std::string(item));
    const Event never, later;
    const auto loser = resource(Do<void>::now(), [] {
                         throw std::runtime_error("release");
                       }).flatMap([never] { return never.wait().map([] { return 0; }); });
    const auto inner = race(loser, channel.receive());
    if (inRace) {
      Delivery<std::variant<std::variant<int, std::string>, int>> delivery;
      race(inner, later.wait().map([] { return 1; })).onComplete(delivery.callback());
      later.set();
      REQUIRE(delivery.count() == 1);
      CHECK(delivery.outcome().hasValue());
    } else {
      CHECK(errorOf([&] { static_cast<void>(inner.blockingAwait()); }) == "release");
    }
    CHECK(channel.receive().blockingAwait() == item);
  }
}

TEST_CASE("a timeout of a receive loses no item") {
  Scheduler scheduler;
  const Channel<int> channel(1);
  const auto late = timeout(channel.receive(), 10ms).attempt().flatMap([channel](const Try<int>& got) {
    CHECK_FALSE(got.hasValue());
    return channel.send(1);
  });
  CHECK(scheduler.run(late).hasValue());
  CHECK(drained(channel) == Ints{1});
}

TEST_CASE("cancelled at any step, each item that was sent is with a function or in the channel") {
  std::size_t sent = 0, used = 0;
  std::optional<Channel<int>> channel;
  bool isHeld = false;
  const auto make = [&](std::ptrdiff_t capacity) {
    sent = used = 0;
    channel.emplace(capacity);
    const auto receive =
        (isHeld ? heldAround(channel->receive()) : channel->receive()).map([&](int) { ++used; });
    const auto send = channel->send(1).map([&] { ++sent; });
    return tupleN(parallel(send.flatMap([send] { return send; })),
                  parallel(receive.flatMap([receive] { return receive; })));
  };
  const auto check = [&](const auto& outcome, std::size_t) {
    CHECK(used + drained(*channel).size() == sent);
    if (outcome.hasValue()) CHECK(used == 2);
  };
  for (const bool held : {false, true}) {
    isHeld = held;
    for (const std::ptrdiff_t capacity : {0, 1, 2})
      for (std::uint64_t seed = 0; seed < 10; ++seed)
        CHECK(cancelAtEveryStep([&] { return make(capacity); }, check, seed) > 3);
  }
}

TEST_CASE("a receive without a sender is a deadlock, whose message names the wait") {
  Scheduler scheduler;
  CHECK(errorOf([&] {
          static_cast<void>(scheduler.run(Channel<int>(1).receive()));
        }).find("Channel::receive") != std::string::npos);
}

TEST_CASE("a named receive, and one in a slot, give their items back too") {
  const Channel<int> channel(1);
  channel.trySend(1);
  Scheduler scheduler;
  const auto losing = tupleN(parallel(channel.receive().named("reader")),
                             parallel(Do<int>::raiseError(std::runtime_error("no"))));
  CHECK(scheduler.run(losing).hasError());
  CHECK(drained(channel) == Ints{1});
}

TEST_CASE("items of senders and receivers in shuffled order all arrive, each sender's in order") {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Channel<int> channel(static_cast<std::ptrdiff_t>(seed % 3));
    std::vector<Ints> got(2);
    const auto receive = [channel, &got](std::size_t to) {
      return channel.receive().map([&got, to](int item) { got[to].push_back(item); });
    };
    Scheduler scheduler(seed);
    const auto all = tupleN(parallel(sendAll(channel, 0, 5)), parallel(sendAll(channel, 100, 105)),
                            parallel(repeat(receive(0), 5)), parallel(repeat(receive(1), 5)));
    CHECK(scheduler.run(all).hasValue());
    CHECK(got[0].size() + got[1].size() == 10);
    for (const auto& items : got)
      for (const int base : {0, 100}) {
        Ints of;
        for (const int item : items)
          if (item / 100 * 100 == base) of.push_back(item);
        CHECK(std::is_sorted(of.begin(), of.end()));
      }
  }
}

TEST_CASE("a pool closes an instance that its factory has received from a channel") {
  struct Connection {
    explicit Connection(int& count) : closed(&count) {}
    void close() const { ++*closed; }
    int* closed;
  };
  int closed = 0;
  const Channel<Connection> connections(1);
  CHECK(connections.trySend(Connection(closed)));
  Pool<Connection>::scoped(1, connections.receive())
      .flatMap([](const Pool<Connection>& pool) { return pool.use().map([](const auto&) {}).run(); })
      .blockingAwait();
  CHECK(closed == 1);
}
