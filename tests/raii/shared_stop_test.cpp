// Users of shared that are asked to stop while it opens.
#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "support/programs/after.hpp"
#include "support/programs/fake_resource.hpp"
#include "support/programs/runs.hpp"
#include "support/threads/other_thread.hpp"
#include "tapestry/raii.hpp"
#include "tapestry/raii/environment.hpp"
#include "tapestry/raii/timeout.hpp"
#include "tapestry/testing/virtual_clock.hpp"

using namespace tapestry;
using namespace std::chrono_literals;
using test::after;
using test::Delivery;
using test::FakeResources;
using test::Manual;
using test::outcomeText;

namespace {

using Name = Handle<std::string>;

Do<std::string> nameOf(const Do<Name>& shared) {
  return shared.map([](const Name& handle) { return *handle; });
}

/// The slot of the tests' own.
struct NumberSlot {
  using Type = std::shared_ptr<int>;
  static Type initial() { return nullptr; }
};

}  // namespace

TEST_CASE("a timeout around a shared value ends at its time, though the value takes longer to open") {
  testing::VirtualClock clock;
  FakeResources fake;
  const auto slow = after(3s).flatMap([&] { return fake.make("a"); });
  Delivery<std::string> delivery;
  withClock(clock, timeout(nameOf(slow.shared()), 100ms)).onComplete(delivery.callback());
  clock.advance(100ms);
  REQUIRE(delivery.count() == 1);
  CHECK(outcomeText(delivery.outcome()) == TimeoutError().what());
  CHECK(clock.waiting() == 0);
  CHECK(fake.log().empty());
}

TEST_CASE(
    "when the only user of an opening is asked to stop, the opening is too, and the next opens afresh") {
  FakeResources fake;
  Manual<void> opening;
  const auto shared =
      fake.make("a").flatMap([&](const std::string&) { return Do<void>::lift(opening.program()); }).shared();
  const StopSource source;
  Delivery<Handle<void>> stopped;
  shared.onComplete(stopped.callback(), source.token());
  CHECK(fake.log() == "+a");
  source.requestStop();
  REQUIRE(stopped.count() == 1);
  CHECK(stopped.outcome().isCancelled());
  CHECK(fake.log() == "+a -a");
  Delivery<Handle<void>> next;
  shared.onComplete(next.callback());
  opening.take()();
  CHECK(next.count() == 0);
  opening.take()();
  CHECK(next.outcome().hasValue());
  CHECK(fake.log() == "+a -a +a -a");
}

TEST_CASE("the last of several users to leave an opening stops it") {
  FakeResources fake;
  Manual<void> opening;
  const auto shared =
      fake.make("a").flatMap([&](const std::string&) { return Do<void>::lift(opening.program()); }).shared();
  const StopSource opener;
  const StopSource waiter;
  Delivery<Handle<void>> first;
  Delivery<Handle<void>> second;
  shared.onComplete(first.callback(), opener.token());
  shared.onComplete(second.callback(), waiter.token());
  opener.requestStop();
  CHECK(first.outcome().isCancelled());
  CHECK(second.count() == 0);
  CHECK(fake.log() == "+a");
  waiter.requestStop();
  CHECK(second.outcome().isCancelled());
  CHECK(fake.log() == "+a -a");
}

TEST_CASE("masked parts of an opening that all users have left finish, and later users open afresh") {
  FakeResources fake;
  Manual<void> opening;
  const auto shared = fake.make("a", {.acquiring = Do<void>::lift(opening.program())}).shared();
  const StopSource source;
  Delivery<std::string> stopped;
  Delivery<std::string> second;
  Delivery<std::string> third;
  nameOf(shared).onComplete(stopped.callback(), source.token());
  source.requestStop();
  CHECK(stopped.outcome().isCancelled());
  nameOf(shared).onComplete(second.callback());
  nameOf(shared).onComplete(third.callback());
  CHECK(opening.waiting() == 1);
  CHECK(fake.log().empty());
  opening.take()();
  CHECK(fake.log() == "+a -a");
  CHECK(second.count() + third.count() == 0);
  opening.take()();
  CHECK(second.outcome().get() == "a");
  CHECK(third.outcome().get() == "a");
  CHECK(fake.log() == "+a -a +a -a");
}

TEST_CASE("an abandoned opening whose own release takes time is waited for") {
  FakeResources fake;
  Manual<void> opening;
  Manual<void> closing;
  const auto shared = fake.make("a", {.acquiring = Do<void>::lift(opening.program()),
                                      .releasing = Do<void>::lift(closing.program())})
                          .shared();
  const StopSource source;
  Delivery<std::string> stopped;
  Delivery<std::string> next;
  nameOf(shared).onComplete(stopped.callback(), source.token());
  source.requestStop();
  opening.take()();
  nameOf(shared).onComplete(next.callback());
  CHECK(fake.log() == "+a");
  closing.take()();
  CHECK(fake.log() == "+a -a");
  CHECK(opening.waiting() == 1);
  opening.take()();
  closing.take()();
  CHECK(next.outcome().get() == "a");
}

TEST_CASE("an error of an opening whose opener has left goes to the waiting users, and not to later users") {
  Manual<void> opening;
  bool fails = true;
  const auto shared = Do<void>::lift(opening.program())
                          .map([&] {
                            if (fails) throw std::runtime_error("opening");
                            return std::string("a");
                          })
                          .shared();
  const StopSource source;
  Delivery<std::string> opener;
  Delivery<std::string> waiter;
  nameOf(shared).onComplete(opener.callback(), source.token());
  nameOf(shared).onComplete(waiter.callback());
  source.requestStop();
  CHECK(opener.outcome().isCancelled());
  opening.take()();
  CHECK(outcomeText(waiter.outcome()) == "opening");
  Delivery<std::string> later;
  nameOf(shared).onComplete(later.callback());
  fails = false;
  opening.take()();
  CHECK(later.outcome().get() == "a");
}

TEST_CASE("where the pool of an opening shuts down, its opener is cancelled and another user opens afresh") {
  FakeResources fake;
  Manual<void> opening;
  const auto slow = Do<void>::lift(opening.program()).flatMap([&] { return fake.make("a"); });
  const auto shared = slow.shared();
  Delivery<std::string> opener;
  Delivery<std::string> waiter;
  Delivery<std::string> another;
  {
    ThreadPool pool(1);
    nameOf(shared).onComplete(opener.callback(), pool);
    while (opening.waiting() == 0) std::this_thread::yield();
    nameOf(shared).onComplete(waiter.callback());
    nameOf(shared).onComplete(another.callback());
  }
  CHECK(opener.outcome().isCancelled());
  CHECK(waiter.count() + another.count() == 0);
  opening.take()();
  CHECK(opening.waiting() == 1);
  opening.take()();
  CHECK(waiter.outcome().get() == "a");
  CHECK(another.outcome().get() == "a");
  CHECK(fake.log() == "+a -a");
}

TEST_CASE("a shared value that waits for itself can be left, and leaves nothing behind") {
  {
    const auto counted = std::make_shared<test::Counted>(1);
    const auto self = std::make_shared<std::optional<Do<Handle<int>>>>();
    const auto shared = Do<int>::suspend([counted, weak = std::weak_ptr(self)] {
                          return (*weak.lock())->map([](const Handle<int>& handle) { return *handle; });
                        }).shared();
    self->emplace(shared);
    const StopSource source;
    Delivery<Handle<int>> first;
    Delivery<Handle<int>> second;
    shared.onComplete(first.callback(), source.token());
    shared.onComplete(second.callback(), source.token());
    CHECK(first.count() + second.count() == 0);
    source.requestStop();
    CHECK(first.outcome().isCancelled());
    CHECK(second.outcome().isCancelled());
  }
  CHECK(test::Counted::live() == 0);
}

TEST_CASE("an opening that never waits is left as soon as another thread asks for it") {
  std::atomic<bool> begun{false};
  const auto busy = tailRecM(0, [&](int) {
    begun = true;
    return Do<Step<int, int>>::now(Step<int, int>::next(0));
  });
  const StopSource source;
  const std::jthread asking([&] {
    while (!begun) std::this_thread::yield();
    source.requestStop();
  });
  CHECK_THROWS_AS(busy.shared().blockingAwait(source.token()), Cancelled);
}

TEST_CASE(
    "an opening works on the thread that waits in blockingAwait, and where its callbacks come after that") {
  test::OtherThread other;
  testing::VirtualClock clock;
  std::vector<std::thread::id> threads;
  Manual<void> last;
  const auto note = [&] { threads.push_back(std::this_thread::get_id()); };
  const auto shared = other.hop()
                          .flatMap([&] {
                            note();
                            return withClock(clock, after(1ms));
                          })
                          .flatMap([&] {
                            note();
                            return Do<void>::lift(last.program());
                          })
                          .map([&] {
                            note();
                            return std::string("a");
                          })
                          .shared();
  Delivery<std::string> waiter;
  std::jthread late([&] {
    while (clock.waiting() < 2) std::this_thread::yield();
    clock.advance(1ms);
    while (last.waiting() == 0) std::this_thread::yield();
    nameOf(shared).onComplete(waiter.callback());
    clock.advance(100ms);
  });
  CHECK_THROWS_AS(withClock(clock, timeout(nameOf(shared), 100ms)).blockingAwait(), TimeoutError);
  late.join();
  std::jthread([&] { last.take()(); }).join();
  CHECK(waiter.outcome().get() == "a");
  const auto caller = std::this_thread::get_id();
  REQUIRE(threads.size() == 3);
  CHECK(threads[1] == caller);
  CHECK(threads[2] != caller);
}

TEST_CASE("an opening keeps the slots of the run that began it, also when that has left") {
  Manual<void> opening;
  const auto shared = Do<void>::lift(opening.program())
                          .flatMap([] { return Do<std::shared_ptr<int>>::lift(ask<NumberSlot>()); })
                          .map([](const std::shared_ptr<int>& number) { return *number; })
                          .shared();
  const auto use = shared.map([](const Handle<int>& handle) { return *handle; });
  const StopSource source;
  Delivery<int> opener;
  Delivery<int> waiter;
  local<NumberSlot>(std::make_shared<int>(7), use).onComplete(opener.callback(), source.token());
  use.onComplete(waiter.callback());
  source.requestStop();
  CHECK(opener.outcome().isCancelled());
  opening.take()();
  CHECK(waiter.outcome().get() == 7);
}

TEST_CASE("a pool waits for an opening that everybody has left") {
  FakeResources fake;
  std::atomic<bool> asked{false};
  test::OtherThread other;
  {
    ThreadPool pool(2);
    const auto slow = fake.make("a", {.acquiring = other.hop().flatMap([&] {
                                  while (!asked) std::this_thread::yield();
                                  return after(20ms);
                                })});
    const StopSource source;
    Delivery<std::string> stopped;
    nameOf(slow.shared()).onComplete(stopped.callback(), pool, source.token());
    source.requestStop();
    asked = true;
    CHECK(stopped.outcome().isCancelled());
  }
  CHECK(fake.open() == 0);
  CHECK(fake.faults().empty());
}
