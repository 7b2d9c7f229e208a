#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "support/programs/besides.hpp"
#include "support/programs/runs.hpp"
#include "support/sanitizers.hpp"
#include "tapestry/concurrent/broadcast.hpp"
#include "tapestry/concurrent/deferred.hpp"
#include "tapestry/concurrent/latch.hpp"
#include "tapestry/raii.hpp"
#include "tapestry/raii/environment.hpp"
#include "tapestry/raii/par_traverse.hpp"
#include "tapestry/raii/race.hpp"
#include "tapestry/raii/scoped.hpp"
#include "tapestry/testing/scheduler.hpp"

using namespace tapestry;
using test::Delivery;
using testing::Scheduler;

namespace {

Do<int> sumOf(const Subscription<int>& subscription, int sum) {
  return subscription.receiveOrEnd().flatMap([=](const std::optional<int>& item) {
    return item ? sumOf(subscription, (sum + *item) % 1'000'000'007) : Do<int>::now(sum);
  });
}

Do<void> publishUpTo(const Broadcast<int>& broadcast, int left) {
  if (left == 0) return Do<void>::now();
  return broadcast.publish(left).flatMap([=] { return publishUpTo(broadcast, left - 1); });
}

/// Subscribers that sum up what a publisher gives them, who begins when all are there.
Do<std::vector<int>> sums(const Broadcast<int>& broadcast, int subscribers, int items) {
  const Latch ready(subscribers);
  const auto listen = broadcast.subscribe()
                          .flatMap([=](const Subscription<int>& subscription) {
                            ready.countDown();
                            return sumOf(subscription, 0);
                          })
                          .run();
  const auto publish = ready.wait().flatMap([=] { return publishUpTo(broadcast, items); }).map([=] {
    broadcast.close();
    return 0;
  });
  std::vector<Do<int>> all(static_cast<std::size_t>(subscribers), listen);
  all.push_back(publish);
  return parSequence(std::move(all));
}

}  // namespace

TEST_CASE("subscribers get all items, in any order of steps") {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Scheduler scheduler(seed);
    CHECK(scheduler.run(sums(Broadcast<int>({.capacity = 2}), 3, 10)).get() ==
          std::vector<int>{55, 55, 55, 0});
  }
}

TEST_CASE("a request to stop at any step leaves no subscriber, and the broadcast usable") {
  std::unique_ptr<Broadcast<int>> broadcast;
  const auto runs = testing::cancelAtEveryStep(
      [&] {
        broadcast = std::make_unique<Broadcast<int>>(BroadcastPolicy{.capacity = 1});
        return sums(*broadcast, 2, 3);
      },
      [&](const auto& outcome, std::size_t) {
        CHECK(!outcome.hasError());
        CHECK(broadcast->subscribers() == 0);
        if (!broadcast->isClosed()) CHECK(broadcast->tryPublish(1));
      });
  CHECK(runs > 10);
}

TEST_CASE("subscribers on several threads get all items") {
  ThreadPool pool(4);
  Delivery<std::vector<int>> end;
  sums(Broadcast<int>({.capacity = 3}), 4, 3'000).onComplete(end.callback(), pool);
  const int sum = 3'000 * 3'001 / 2;
  CHECK(end.outcome().get() == std::vector<int>{sum, sum, sum, sum, 0});
}

TEST_CASE("a million items need no stack") {
  CHECK(sums(Broadcast<int>({.capacity = 1}), 1, test::million)
            .map([](const auto& all) { return all.size(); })
            .blockingAwait() == 2);
}

TEST_CASE("items are kept once, and only until all have received them") {
  {
    const Broadcast<test::Counted> broadcast({.capacity = 4});
    const auto two = broadcast.subscribe().flatMap([=](const Subscription<test::Counted>& a) {
      return broadcast.subscribe().flatMap([=](const Subscription<test::Counted>& b) {
        return Do<void>::delay([=] {
                 for (int i = 0; i < 3; ++i) broadcast.tryPublish(test::Counted(i));
                 CHECK(test::Counted::live() == 3);
               })
            .flatMap([=] { return a.receive(); })
            .map([](const test::Counted& c) { CHECK(c.value() == 0); })
            .flatMap([=] { return b.receive(); })
            .map([](const test::Counted&) {})
            .map([] { CHECK(test::Counted::live() == 2); });
      });
    });
    two.blockingAwait();
    CHECK(test::Counted::live() == 0);
  }
  CHECK(test::Counted::live() == 0);
}

TEST_CASE("operations of the items may use the broadcast, for no lock is held meanwhile") {
  const Broadcast<test::Nosy> broadcast({.capacity = 2, .slow = SlowSubscribers::dropOldest});
  int inner = 0;
  test::Besides besides([&] { inner += 1 + static_cast<int>(broadcast.subscribers()); }, 200);
  broadcast.subscribe()
      .flatMap([=](const Subscription<test::Nosy>& subscription) {
        return Do<void>::delay([=] {
                 for (int i = 0; i < 4; ++i) broadcast.tryPublish(test::Nosy());
               })
            .flatMap([=] { return subscription.receive(); })
            .map([](const test::Nosy&) {});
      })
      .blockingAwait();
  CHECK(inner > 5);
}

TEST_CASE("a subscriber's receive that loses a race loses no item, in any order of steps") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Broadcast<int> left, right;
    const auto items = tuple2(left.subscribe(), right.subscribe()).flatMap([&](const auto& subscriptions) {
      const auto [ofLeft, ofRight] = subscriptions;
      const auto racing = race(ofLeft.receive(), ofRight.receive());
      return tupleN(parallel(left.publish(1)), parallel(right.publish(2)), parallel(racing))
          .flatMap([ofLeft, ofRight](const auto& results) {
            const auto& won = std::get<2>(results);
            return (won.index() == 0 ? ofRight : ofLeft).receive().map([won](int lost) {
              return std::pair(won.index() == 0 ? std::get<0>(won) : std::get<1>(won), lost);
            });
          });
    });
    const auto [won, lost] = Scheduler(seed).run(items).get();
    CHECK(std::pair(std::min(won, lost), std::max(won, lost)) == std::pair(1, 2));
  }
}

TEST_CASE("a subscriber's receive beside a program that fails gives its item back as the next one") {
  const Broadcast<int> broadcast;
  const auto items = broadcast.subscribe().flatMap([&](const Subscription<int>& subscription) {
    for (const int item : {1, 2}) CHECK(broadcast.tryPublish(item));
    const auto receive = subscription.receive();
    const auto held = resource(Do<void>::now(), [] {}).flatMap([receive] { return receive; });
    const auto failingBeside = [](const Do<int>& received) {
      return tuple2(parallel(received), parallel(Do<int>::raiseError("no")))
          .attempt()
          .map([](const auto& failed) { CHECK(!failed.hasValue()); });
    };
    return failingBeside(receive).flatMap([=] { return failingBeside(held); }).flatMap([receive] {
      return tuple2(receive, receive);
    });
  });
  CHECK(items.blockingAwait() == std::tuple(1, 2));
}

TEST_CASE("an item that was given back goes to a receive of the subscriber that waits") {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Broadcast<int> broadcast;
    const Deferred<int> failure;
    const auto items = broadcast.subscribe().flatMap([&](const Subscription<int>& subscription) {
      broadcast.tryPublish(1);
      const auto holding = tuple2(parallel(subscription.receive()), parallel(failure.get()));
      const auto fails = Do<bool>::delay([=] { return failure.fail(std::runtime_error("no")); });
      return tupleN(parallel(holding.attempt()), parallel(subscription.receive()), parallel(fails));
    });
    CHECK(std::get<1>(Scheduler(seed).run(items).get()) == 1);
  }
}
