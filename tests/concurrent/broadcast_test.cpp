#include "tapestry/concurrent/broadcast.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/programs/runs.hpp"
#include "tapestry/concurrent/deferred.hpp"
#include "tapestry/continuation/stop.hpp"
#include "tapestry/raii.hpp"
#include "tapestry/raii/environment.hpp"
#include "tapestry/testing/scheduler.hpp"

using namespace tapestry;
using test::Delivery;
using test::errorOf;
using test::isError;
using test::outcomeText;
using testing::Scheduler;

namespace {

/// Subscriptions that end when they are told to, and a log of what they have received.
class Listeners {
 public:
  explicit Listeners(const BroadcastPolicy& policy) : broadcast(policy) {}
  ~Listeners() {
    for (auto& each : ends_) each->complete();
  }

  std::size_t subscribe() {
    ends_.push_back(std::make_unique<Deferred<void>>());
    broadcast.subscribe()
        .flatMap([this, end = *ends_.back()](const Subscription<int>& subscription) {
          subscriptions_.push_back(subscription);
          return end.get();
        })
        .onComplete([](Outcome<void>) {});
    return ends_.size() - 1;
  }
  void unsubscribe(std::size_t n) { ends_.at(n)->complete(); }
  /// The next item of the n-th, its error, or "waits"; a receive that waits is stopped.
  std::string next(std::size_t n) {
    const StopSource stop;
    Delivery<int> received;
    subscriptions_.at(n).receive().onComplete(received.callback(), stop.token());
    stop.requestStop();
    const auto& outcome = received.outcome();
    if (outcome.isCancelled()) return "waits";
    return outcome.hasValue() ? std::to_string(received.outcome().get()) : outcomeText(outcome);
  }
  const Subscription<int>& operator[](std::size_t n) const { return subscriptions_.at(n); }

  Broadcast<int> broadcast;

 private:
  std::vector<std::unique_ptr<Deferred<void>>> ends_;
  std::vector<Subscription<int>> subscriptions_;
};

}  // namespace

TEST_CASE("each subscriber gets each item that was published after it subscribed, in order") {
  Listeners all({.capacity = 4});
  all.broadcast.publish(0).blockingAwait();
  all.subscribe();
  all.broadcast.publish(1).blockingAwait();
  all.subscribe();
  all.broadcast.publish(2).blockingAwait();
  CHECK(all.broadcast.subscribers() == 2);
  CHECK(all.next(0) == "1");
  CHECK(all.next(0) == "2");
  CHECK(all.next(0) == "waits");
  CHECK(all.next(1) == "2");
  CHECK(all.next(1) == "waits");
}

TEST_CASE("subscribers that wait are woken by an item") {
  Listeners all({});
  all.subscribe();
  all.subscribe();
  Delivery<int> first, second;
  all[0].receive().onComplete(first.callback());
  all[1].receive().onComplete(second.callback());
  CHECK(first.count() == 0);
  CHECK(all.broadcast.tryPublish(7));
  CHECK(first.outcome().get() == 7);
  CHECK(second.outcome().get() == 7);
}

TEST_CASE("a slow subscriber blocks publishers, which continue in the order of arrival") {
  Listeners all({.capacity = 2, .slow = SlowSubscribers::block});
  all.subscribe();
  all.subscribe();
  std::vector<Delivery<void>> published(4);
  for (int i = 0; i < 4; ++i)
    all.broadcast.publish(i).onComplete(published[static_cast<std::size_t>(i)].callback());
  CHECK(published[1].count() == 1);
  CHECK(published[2].count() == 0);
  CHECK_FALSE(all.broadcast.tryPublish(9));
  CHECK(all.next(0) == "0");
  CHECK(published[2].count() == 0);
  CHECK(all.next(1) == "0");
  CHECK(published[2].count() == 1);
  CHECK(published[3].count() == 0);
  all.unsubscribe(1);
  CHECK(all.next(0) == "1");
  CHECK(published[3].count() == 1);
  CHECK(all.next(0) == "2");
  CHECK(all.next(0) == "3");
  CHECK(all.broadcast.tryPublish(10));
}

TEST_CASE("a publisher that is stopped while it waits has not published, and the next has its turn") {
  Listeners all({.capacity = 1});
  all.subscribe();
  const StopSource stop;
  Delivery<void> stopped, next;
  all.broadcast.publish(1).blockingAwait();
  all.broadcast.publish(2).onComplete(stopped.callback(), stop.token());
  all.broadcast.publish(3).onComplete(next.callback());
  stop.requestStop();
  CHECK(outcomeText(stopped.outcome()) == "cancelled");
  CHECK(next.count() == 0);
  CHECK(all.next(0) == "1");
  CHECK(next.count() == 1);
  CHECK(all.next(0) == "3");
  CHECK(all.next(0) == "waits");
  CHECK(all.broadcast.tryPublish(4));
}

TEST_CASE("a slow subscriber loses the oldest items, and the others none") {
  Listeners all({.capacity = 2, .slow = SlowSubscribers::dropOldest});
  all.subscribe();
  all.subscribe();
  std::string quick;
  for (int i = 0; i < 5; ++i) {
    all.broadcast.publish(i).blockingAwait();
    quick += all.next(0);
  }
  CHECK(quick == "01234");
  CHECK(all.next(1) == "3");
  CHECK(all.next(1) == "4");
  CHECK(all.next(1) == "waits");
}

TEST_CASE("a slow subscriber fails permanently, and the others lose nothing") {
  Listeners all({.capacity = 2, .slow = SlowSubscribers::fail});
  all.subscribe();
  all.subscribe();
  for (int i = 0; i < 3; ++i) {
    all.broadcast.publish(i).blockingAwait();
    CHECK(all.next(0) == std::to_string(i));
  }
  for (int i = 0; i < 2; ++i) CHECK(all.next(1) == TooSlow().what());
  all.subscribe();
  all.broadcast.publish(3).blockingAwait();
  CHECK(all.next(2) == "3");
}

TEST_CASE("a closed broadcast gives the remaining items, then the end") {
  Listeners all({.capacity = 1});
  all.subscribe();
  all.subscribe();
  Delivery<int> waiting;
  Delivery<void> publisher;
  all.broadcast.publish(1).blockingAwait();
  CHECK(all.next(1) == "1");
  all[1].receive().onComplete(waiting.callback());
  all.broadcast.publish(2).onComplete(publisher.callback());
  CHECK(all.broadcast.close());
  CHECK_FALSE(all.broadcast.close());
  CHECK(isError<Closed>(waiting.outcome().error()));
  CHECK(isError<Closed>(publisher.outcome().error()));
  CHECK_FALSE(all.broadcast.tryPublish(3));
  CHECK(errorOf([&] {
          all.broadcast.publish(3).blockingAwait();
          return 0;
        }) == Closed().what());
  CHECK(all[0].receiveOrEnd().blockingAwait() == 1);
  CHECK(all[0].receiveOrEnd().blockingAwait() == std::nullopt);
  CHECK(all.next(0) == Closed().what());
  CHECK(all.broadcast.isClosed());
}

TEST_CASE("a broadcast that was closed with an error gives that error") {
  Listeners all({});
  all.subscribe();
  all.broadcast.publish(1).blockingAwait();
  all.broadcast.close(std::make_exception_ptr(std::runtime_error("broken")));
  CHECK(all.next(0) == "1");
  CHECK(all.next(0) == "broken");
  CHECK(errorOf([&] { return all[0].receiveOrEnd().blockingAwait(); }) == "broken");
  CHECK(errorOf([&] {
          all.broadcast.publish(1).blockingAwait();
          return 0;
        }) == "broken");
}

TEST_CASE("a receive that waits beside a receive that fails ends with the subscription") {
  Listeners all({});
  all.subscribe();
  Delivery<int> first, second;
  const auto receive = all[0].receive();
  receive.flatMap([receive](int) { return receive; }).onComplete(first.callback());
  receive.onComplete(second.callback());
  CHECK(all.broadcast.tryPublish(1));
  CHECK(isError<std::logic_error>(second.outcome().error()));
  all.unsubscribe(0);
  REQUIRE(first.count() == 1);
  CHECK(outcomeText(first.outcome()) == Closed().what());
}

TEST_CASE("wrong uses are clear errors") {
  CHECK(errorOf([] { return Broadcast<int>({.capacity = 0}); }) ==
        "tapestry::Broadcast: the capacity is 0, expected at least 1");
  Listeners all({});
  all.subscribe();
  Delivery<int> first, second;
  all[0].receive().onComplete(first.callback());
  all[0].receive().onComplete(second.callback());
  CHECK(all.broadcast.tryPublish(1));
  CHECK(first.outcome().get() == 1);
  CHECK(outcomeText(second.outcome()) ==
        "tapestry::Subscription: two runs wait for its next item, expected one receive at a time");
  Delivery<int> late;
  all[0].receive().onComplete(late.callback());
  all.unsubscribe(0);
  CHECK(isError<Closed>(late.outcome().error()));
  CHECK(all.next(0) == Closed().what());
}

TEST_CASE("a receive without a publisher is a deadlock, whose message names the wait") {
  Scheduler scheduler;
  const Broadcast<int> broadcast;
  CHECK_THROWS_WITH_AS(static_cast<void>(scheduler.run(broadcast.subscribe().flatMap(
                           [](const Subscription<int>& subscription) { return subscription.receive(); }))),
                       doctest::Contains("Subscription::receive"), testing::Deadlock);
  CHECK(broadcast.subscribers() == 0);
}
