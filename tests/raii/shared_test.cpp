#include <doctest/doctest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/programs/fake_resource.hpp"
#include "support/programs/runs.hpp"
#include "support/threads/executors.hpp"
#include "support/threads/other_thread.hpp"
#include "tapestry/raii.hpp"

using namespace tapestry;
using test::Delivery;
using test::errorOf;
using test::FakeResources;
using test::Manual;
using test::outcomeText;

namespace {

using Name = Handle<std::string>;

/// Waits at the manual leaf while it uses the shared resource, and then yields its name.
Do<std::string> using_(const Do<Name>& shared, Manual<void>& until) {
  return shared.flatMap([&until](const Name& handle) {
    return Do<void>::lift(until.program()).map([handle] { return *handle; });
  });
}

}  // namespace

TEST_CASE("shared acquires for the first user and releases after the last") {
  FakeResources fake;
  const auto shared = fake.make("a").shared();
  CHECK(fake.log().empty());
  const auto program = shared.flatMap([&](const Name& first) {
    return shared.map([&, first](const Name& second) {
      fake.note("use");
      return &*first == &*second;
    });
  });
  CHECK(program.blockingAwait());
  CHECK(fake.log() == "+a use -a");
}

TEST_CASE("shared opens afresh in the next period") {
  int made = 0;
  const auto shared = Do<int>::delay([&made] { return ++made; }).shared();
  const auto program = shared.map([](const Handle<int>& handle) { return *handle; });
  CHECK(program.blockingAwait() == 1);
  CHECK(program.blockingAwait() == 2);
}

TEST_CASE("each use of shared in sequence, without other users, is a separate period") {
  FakeResources fake;
  const auto shared = fake.make("a").shared();
  const auto use = shared.map([](const Name& handle) { return *handle; }).run();
  CHECK(tuple2(use, use).blockingAwait() == std::tuple(std::string("a"), std::string("a")));
  CHECK(fake.log() == "+a -a +a -a");
}

TEST_CASE("parallel users of shared get one instance") {
  FakeResources fake;
  ThreadPool pool(2);
  const auto shared = fake.make("0").shared();
  const auto program = tuple2(parallel(shared), parallel(shared)).map([&](const auto& both) {
    fake.note("use");
    return *std::get<0>(both) + *std::get<1>(both);
  });
  CHECK(program.blockingAwait() == "00");
  CHECK(fake.log() == "+0 use -0");
  CHECK(program.blockingAwait(pool) == "00");
  CHECK(fake.log() == "+0 use -0 +0 use -0");
}

TEST_CASE("an unshared resource beside two users of a shared one makes two instances") {
  int made = 0;
  std::string released;
  const auto unshared = resource(Do<std::string>::delay([&made] { return std::to_string(made++); }),
                                 [&released](const std::string& name) { released += name; });
  const auto shared = unshared.shared();
  const auto program =
      tupleN(parallel(unshared), parallel(shared), parallel(shared)).map([](const auto& all) {
        return std::get<0>(all) + *std::get<1>(all) + *std::get<2>(all);
      });
  CHECK(program.blockingAwait() == "011");
  CHECK(made == 2);
  CHECK(released.size() == 2);
}

TEST_CASE(
    "where a parallel sibling of a shared user fails, the function is not called and the instance is "
    "released") {
  FakeResources fake;
  bool combined = false;
  const auto program =
      tuple2(parallel(fake.make("a").shared()), parallel(Do<int>::raiseError(std::runtime_error("Boom"))))
          .map([&combined](const auto&) { combined = true; });
  CHECK(errorOf([&] { program.blockingAwait(); }) == "Boom");
  CHECK_FALSE(combined);
  CHECK(fake.log() == "+a -a");
}

TEST_CASE("users that arrive while shared opens wait for it, first come first served") {
  FakeResources fake;
  Manual<void> opening;
  const auto shared = fake.make("a", {.acquiring = Do<void>::lift(opening.program())}).shared();
  std::vector<int> order;
  std::vector<std::unique_ptr<Delivery<void>>> deliveries;
  for (int i = 0; i < 4; ++i) {
    deliveries.push_back(std::make_unique<Delivery<void>>());
    shared.map([&order, i](const Name&) { order.push_back(i); }).onComplete(deliveries.back()->callback());
  }
  CHECK(opening.waiting() == 1);
  CHECK(order.empty());
  opening.take()();
  CHECK(order == std::vector{0, 1, 2, 3});
  for (const auto& delivery : deliveries) CHECK(delivery->outcome().hasValue());
  CHECK(fake.log() == "+a -a");
}

TEST_CASE("when opening fails all waiting users get that error, and the next user tries again") {
  FakeResources fake;
  Manual<void> opening;
  int attempts = 0;
  const auto shared = Do<void>::lift(opening.program())
                          .map([&attempts] {
                            if (++attempts == 1) throw std::runtime_error("first attempt");
                            return attempts;
                          })
                          .shared();
  std::vector<std::unique_ptr<Delivery<Handle<int>>>> deliveries;
  for (int i = 0; i < 3; ++i) {
    deliveries.push_back(std::make_unique<Delivery<Handle<int>>>());
    shared.onComplete(deliveries.back()->callback());
  }
  opening.take()();
  for (const auto& delivery : deliveries) {
    CHECK(outcomeText(delivery->outcome()) == "first attempt");
    CHECK(delivery->outcome().error() == deliveries[0]->outcome().error());
  }
  Delivery<int> later;
  shared.map([](const Handle<int>& handle) { return *handle; }).onComplete(later.callback());
  opening.take()();
  CHECK(later.outcome().get() == 2);
}

TEST_CASE("an opening that throws Cancelled stops its opener, and the next user opens afresh") {
  Manual<void> opening;
  int attempts = 0;
  const auto shared = Do<void>::lift(opening.program())
                          .map([&attempts] {
                            if (++attempts == 1) throw Cancelled();
                            return attempts;
                          })
                          .shared();
  Delivery<Handle<int>> opener;
  Delivery<int> waiter;
  shared.onComplete(opener.callback());
  shared.map([](const Handle<int>& handle) { return *handle; }).onComplete(waiter.callback());
  opening.take()();
  CHECK(opener.outcome().isCancelled());
  REQUIRE(opening.waiting() == 1);
  opening.take()();
  CHECK(waiter.outcome().get() == 2);
}

TEST_CASE("resources of a failed opening are released, masked, before the error is given out") {
  FakeResources fake;
  const auto shared =
      fake.failingRelease("a").flatMap([&](const std::string&) { return fake.failingAcquire("b"); }).shared();
  CHECK(errorOf([&] { shared.blockingAwait(); }) == "[acquire b, release a]");
  CHECK(fake.log() == "+a -a");
  CHECK(errorOf([&] { shared.blockingAwait(); }) == "[acquire b, release a]");
  CHECK(fake.log() == "+a -a +a -a");
}

TEST_CASE("an opening that breaks its callback does not leave shared opening for ever") {
  bool breaks = true;
  const auto shared = Do<int>::async([&breaks](const auto& callback) {
                        if (!breaks) callback(Try<int>::success(1));
                      }).shared();
  CHECK_THROWS_AS(shared.blockingAwait(), BrokenCallback);
  breaks = false;
  CHECK(shared.map([](const Handle<int>& handle) { return *handle; }).blockingAwait() == 1);
}

TEST_CASE("an opening that throws, in any way, leaves shared idle") {
  bool throws = true;
  const auto raising = [&throws] {
    if (throws) throw std::runtime_error("factory");
    return 1;
  };
  const std::vector<Do<int>> factories{
      Do<int>::delay(raising), Do<int>::suspend([raising] { return Do<int>::now(raising()); }),
      Do<int>::async([raising](const auto& callback) { callback(Try<int>::success(raising())); }),
      scoped(raising).map([](const Handle<int>& handle) { return *handle; })};
  for (const auto& factory : factories) {
    const auto shared = factory.shared().map([](const Handle<int>& handle) { return *handle; });
    throws = true;
    for (int i = 0; i < 2; ++i) CHECK(errorOf([&] { shared.blockingAwait(); }) == "factory");
    throws = false;
    CHECK(shared.blockingAwait() == 1);
  }
}

TEST_CASE("a waiter of shared that throws when it continues loses none of the others") {
  FakeResources fake;
  Manual<void> opening;
  const auto shared = fake.make("a", {.acquiring = Do<void>::lift(opening.program())}).shared();
  std::vector<std::unique_ptr<Delivery<int>>> deliveries;
  for (int i = 0; i < 4; ++i) {
    deliveries.push_back(std::make_unique<Delivery<int>>());
    shared
        .map([i](const Name&) {
          if (i % 2 == 0) throw std::runtime_error("waiter");
          return i;
        })
        .onComplete(deliveries.back()->callback());
  }
  opening.take()();
  CHECK(outcomeText(deliveries[0]->outcome()) == "waiter");
  CHECK(deliveries[1]->outcome().get() == 1);
  CHECK(outcomeText(deliveries[2]->outcome()) == "waiter");
  CHECK(deliveries[3]->outcome().get() == 3);
  CHECK(fake.log() == "+a -a");
}

TEST_CASE("a user that arrives while the release is running waits for it, and then opens afresh") {
  FakeResources fake;
  Manual<void> closing;
  const auto shared = fake.make("a", {.releasing = Do<void>::lift(closing.program())}).shared();
  Delivery<Name> first;
  Delivery<std::string> second;
  Delivery<std::string> third;
  shared.onComplete(first.callback());
  CHECK(closing.waiting() == 1);
  const auto use = shared.map([&](const Name& handle) {
    fake.note("use");
    return *handle;
  });
  use.onComplete(second.callback());
  use.onComplete(third.callback());
  CHECK(fake.log() == "+a");
  closing.take()();
  CHECK(first.count() == 1);
  CHECK(fake.log() == "+a -a +a use use");
  closing.take()();
  CHECK(second.outcome().get() == "a");
  CHECK(third.outcome().get() == "a");
  CHECK(fake.log() == "+a -a +a use use -a");
  CHECK(closing.waiting() == 0);
  CHECK(fake.faults().empty());
}

TEST_CASE("a failing release of a shared instance goes to the last user, and the next opens afresh") {
  FakeResources fake;
  const auto shared = fake.failingRelease("a").shared();
  CHECK(errorOf([&] { shared.blockingAwait(); }) == "release a");
  CHECK(errorOf([&] { shared.blockingAwait(); }) == "release a");
  CHECK(fake.log() == "+a -a +a -a");
}

TEST_CASE("cancelling a waiting user does not disturb the others") {
  FakeResources fake;
  Manual<void> opening;
  const auto shared = fake.make("a", {.acquiring = Do<void>::lift(opening.program())}).shared();
  const auto use = shared.map([](const Name& handle) { return *handle; });
  const StopSource source;
  Delivery<std::string> opener;
  Delivery<std::string> cancelled;
  Delivery<std::string> waiter;
  use.onComplete(opener.callback());
  use.onComplete(cancelled.callback(), source.token());
  use.onComplete(waiter.callback());
  source.requestStop();
  CHECK(cancelled.outcome().isCancelled());
  CHECK(opener.count() + waiter.count() == 0);
  opening.take()();
  CHECK(opener.outcome().hasValue());
  CHECK(waiter.outcome().hasValue());
  CHECK(cancelled.count() == 1);
  CHECK(fake.log() == "+a -a");
}

TEST_CASE("an opener that is cancelled leaves at once, and the opening continues for the others") {
  FakeResources fake;
  Manual<void> opening;
  const auto slow = Do<void>::lift(opening.program()).flatMap([] { return Do<void>::now(); });
  const auto shared = fake.make("a", {.acquiring = slow}).shared();
  const auto use = shared.flatMap([](const Name& handle) { return Do<std::string>::now(*handle); });
  const StopSource source;
  Delivery<std::string> opener;
  Delivery<std::string> waiter;
  use.onComplete(opener.callback(), source.token());
  use.onComplete(waiter.callback());
  source.requestStop();
  REQUIRE(opener.count() == 1);
  CHECK(opener.outcome().isCancelled());
  CHECK(waiter.count() == 0);
  opening.take()();
  CHECK(waiter.outcome().hasValue());
  CHECK(fake.log() == "+a -a");
}

TEST_CASE("cancelling a user while it uses the instance leaves the instance to the others") {
  FakeResources fake;
  Manual<void> until;
  const auto shared = fake.make("a").shared();
  const StopSource source;
  Delivery<std::string> stopped;
  Delivery<std::string> other;
  const auto use =
      using_(shared, until).flatMap([](const std::string& name) { return Do<std::string>::now(name); });
  use.onComplete(stopped.callback(), source.token());
  use.onComplete(other.callback());
  source.requestStop();
  until.take()();
  CHECK(stopped.outcome().isCancelled());
  CHECK(fake.log() == "+a");
  until.take()();
  CHECK(other.outcome().get() == "a");
  CHECK(fake.log() == "+a -a");
}

TEST_CASE("cancelling a user that waits for the release to end leaves shared to the next") {
  FakeResources fake;
  Manual<void> closing;
  const auto shared = fake.make("a", {.releasing = Do<void>::lift(closing.program())}).shared();
  const StopSource source;
  Delivery<Name> first;
  Delivery<Name> cancelled;
  shared.onComplete(first.callback());
  shared.onComplete(cancelled.callback(), source.token());
  source.requestStop();
  CHECK(cancelled.outcome().isCancelled());
  closing.take()();
  CHECK(fake.log() == "+a -a");
  Delivery<Name> next;
  shared.onComplete(next.callback());
  closing.take()();
  CHECK(next.outcome().hasValue());
  CHECK(fake.log() == "+a -a +a -a");
}

TEST_CASE("a handle of shared that is read after the release is a checked error, in later periods too") {
  int made = 0;
  const auto shared = Do<int>::delay([&made] { return ++made; }).shared();
  const auto old = shared.blockingAwait();
  CHECK_THROWS_AS(*old, std::logic_error);
  const auto program = shared.map([old](const Handle<int>& fresh) {
    CHECK(*fresh == 2);
    CHECK_THROWS_AS(*old, std::logic_error);
  });
  CHECK_NOTHROW(program.blockingAwait());
}

TEST_CASE("the value of shared is destroyed when it is released, and dropped programs leave nothing") {
  {
    const auto shared = Do<test::Counted>::delay([] { return test::Counted(1); }).shared();
    shared.map([](const auto&) { CHECK(test::Counted::live() == 1); }).blockingAwait();
    CHECK(test::Counted::live() == 0);
  }
  const auto dropped = Do<test::Counted>::delay([] { return test::Counted(1); }).shared();
  CHECK(test::Counted::live() == 0);
}

TEST_CASE("a user that its executor refuses leaves shared unchanged") {
  FakeResources fake;
  Manual<void> opening;
  const auto shared = fake.make("a", {.acquiring = Do<void>::lift(opening.program())}).shared();
  const auto use = shared.map([](const Name& handle) { return *handle; });
  test::QueueExecutor executor;
  Delivery<std::string> opener;
  Delivery<std::string> refused;
  Delivery<std::string> waiter;
  use.onComplete(opener.callback());
  use.onComplete(refused.callback(), executor);
  executor.work();
  use.onComplete(waiter.callback());
  executor.stop();
  opening.take()();
  CHECK(outcomeText(refused.outcome()) == ExecutorStopped().what());
  CHECK(opener.outcome().hasValue());
  CHECK(waiter.outcome().hasValue());
  CHECK(fake.log() == "+a -a");
}

TEST_CASE("the refusal of a waiting user's executor is an error, which can be handled") {
  FakeResources fake;
  Manual<void> until;
  test::QueueExecutor executor;
  Delivery<std::string> first;
  Delivery<std::string> refused;
  const auto opening = fake.make("a", {.acquiring = Do<void>::lift(until.program())}).shared();
  opening.map([](const Name& name) { return *name; }).onComplete(first.callback());
  opening.attempt()
      .map([](const Try<Name>& result) { return test::errorText(result.error()); })
      .onComplete(refused.callback(), executor);
  executor.work();
  executor.stop();
  until.take()();
  CHECK(refused.outcome().get() == ExecutorStopped().what());
  CHECK(first.outcome().get() == "a");
  CHECK(fake.open() == 0);
}

TEST_CASE("a next opener that its executor refuses passes the opening to the next user") {
  FakeResources fake;
  Manual<void> closing;
  const auto shared = fake.make("a", {.releasing = Do<void>::lift(closing.program())}).shared();
  test::QueueExecutor executor;
  Delivery<Name> first;
  Delivery<Name> refused;
  Delivery<Name> next;
  shared.onComplete(first.callback());
  shared.onComplete(refused.callback(), executor);
  executor.work();
  shared.onComplete(next.callback());
  executor.stop();
  closing.take()();
  CHECK(outcomeText(refused.outcome()) == ExecutorStopped().what());
  closing.take()();
  CHECK(first.outcome().hasValue());
  CHECK(next.outcome().hasValue());
  CHECK(fake.log() == "+a -a +a -a");
}

TEST_CASE("a shared resource of shared resources opens and closes each once") {
  FakeResources fake;
  const auto inner = fake.make("inner").shared();
  const auto left = inner.flatMap([&](const Name&) { return fake.make("left"); }).shared();
  const auto right = inner.flatMap([&](const Name&) { return fake.make("right"); }).shared();
  const auto program = tupleN(parallel(left), parallel(right), parallel(left)).map([](const auto&) {});
  program.blockingAwait();
  CHECK(fake.open() == 0);
  CHECK(fake.events().size() == 6);
  ThreadPool pool(3);
  for (int i = 0; i < 200; ++i) program.blockingAwait(pool);
  CHECK(fake.open() == 0);
  CHECK(fake.faults().empty());
}
