#include <doctest/doctest.h>

#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "support/programs/fake_resource.hpp"
#include "support/programs/runs.hpp"
#include "tapestry/continuation/sleep_for.hpp"
#include "tapestry/raii.hpp"
#include "tapestry/raii/coroutine/coroutine.hpp"
#include "tapestry/raii/direct/direct.hpp"
#include "tapestry/raii/on.hpp"
#include "tapestry/raii/par_traverse.hpp"
#include "tapestry/raii/race.hpp"
#include "tapestry/raii/repeat.hpp"
#include "tapestry/raii/retry.hpp"
#include "tapestry/raii/timeout_abandon.hpp"

using namespace tapestry;
using Box = std::unique_ptr<int>;

namespace {

Do<Box> box(int value) {
  return Do<Box>::delay([value] { return std::make_unique<int>(value); });
}

Do<Box> failing() { return Do<Box>::raiseError(std::runtime_error("no")); }

}  // namespace

TEST_CASE("a Do of a move-only value is made by delay, and run again") {
  const auto program = box(3);
  CHECK(*program.blockingAwait() == 3);
  CHECK(*program.blockingAwait() == 3);
}

TEST_CASE("a move-only value goes through map, flatMap and run") {
  const auto program = box(3)
                           .map([](Box b) { return std::make_unique<int>(*b + 1); })
                           .flatMap([](Box b) { return box(*b * 10); })
                           .run();
  CHECK(*program.blockingAwait() == 40);
}

TEST_CASE("a move-only value goes through handleError and attempt") {
  auto recover = [](const std::exception_ptr&) { return box(1); };
  CHECK(*box(2).handleError(recover).blockingAwait() == 2);
  CHECK(*failing().handleError(recover).blockingAwait() == 1);
  CHECK(*box(2).attempt().blockingAwait().get() == 2);
}

TEST_CASE("a move-only value goes through async and lift") {
  const auto program =
      Do<Box>::async([](const auto& callback) { callback(Try<Box>::success(std::make_unique<int>(4))); });
  CHECK(*program.blockingAwait() == 4);
  CHECK(*Do<Box>::lift(delay([] { return std::make_unique<int>(5); })).blockingAwait() == 5);
}

TEST_CASE("a move-only value is delivered by onComplete") {
  test::Delivery<Box> delivery;
  box(6).onComplete(delivery.callback());
  CHECK(*delivery.outcome().get() == 6);
}

TEST_CASE("a move-only value passes by resources that are held meanwhile") {
  test::FakeResources fake;
  const auto program = fake.make("a").flatMap([](const std::string& a) {
    return box(static_cast<int>(a.size())).flatMap([](Box b) { return box(*b + 1); });
  });
  CHECK(*program.blockingAwait() == 2);
  CHECK(fake.log() == "+a -a");
}

TEST_CASE("scoped and shared give handles to a move-only value") {
  const auto program = scoped([] { return std::make_unique<int>(7); });
  CHECK(program.map([](const Handle<Box>& handle) { return **handle; }).blockingAwait() == 7);
  CHECK(box(8).shared().map([](const Handle<Box>& handle) { return **handle; }).blockingAwait() == 8);
}

TEST_CASE("tuple2 joins move-only values, one after the other or in parallel") {
  auto [a, b] = tuple2(box(1), box(2)).blockingAwait();
  CHECK(*a + *b == 3);
  auto [c, d] = tuple2(parallel(box(3)), parallel(box(4))).blockingAwait();
  CHECK(*c + *d == 7);
}

TEST_CASE("a request to stop drops a move-only value, after its resources have been released") {
  test::FakeResources fake;
  const StopSource source;
  const auto program = fake.make("a")
                           .map([source](const std::string&) {
                             source.requestStop();
                             return std::make_unique<int>(1);
                           })
                           .flatMap([](Box b) { return box(*b); });
  CHECK_THROWS_AS(program.blockingAwait(source.token()), Cancelled);
  CHECK(fake.log() == "+a -a");
}

TEST_CASE("a move-only value goes through the intransitive operations") {
  test::FakeResources fake;
  const auto program =
      fake.make("a")
          .intransitiveMap([](const std::string& a) { return std::make_unique<int>(a.size()); })
          .intransitiveFlatMap([](Box b) { return box(*b + 1); });
  CHECK(*program.blockingAwait() == 2);
  CHECK(fake.log() == "+a -a");
}

TEST_CASE("a move-only value wins a race and is in time, with a timeout that waits and one that does not") {
  const auto winner = race(box(1), Do<Box>::lift(sleepFor(std::chrono::hours(1)).map([] { return Box(); })));
  CHECK(*std::get<0>(winner.blockingAwait()) == 1);
  CHECK(*timeout(box(2), std::chrono::hours(1)).blockingAwait() == 2);
  CHECK(*timeoutAbandon(box(3), std::chrono::hours(1)).blockingAwait() == 3);
  CHECK_THROWS_AS((void)timeout(failing(), std::chrono::hours(1)).blockingAwait(), std::runtime_error);
}

TEST_CASE("a move-only value goes through retry, mask, ensure, on and repeatUntil") {
  int left = 2;
  const auto sometimes = Do<Box>::delay([&left] {
    if (--left > 0) throw std::runtime_error("not yet");
    return std::make_unique<int>(4);
  });
  CHECK(*retry(sometimes, {.attempts = 2, .delay = {}}).blockingAwait() == 4);
  CHECK(*mask(box(5)).blockingAwait() == 5);
  CHECK(*ensure(box(6), Do<void>::now()).blockingAwait() == 6);
  CHECK(*on(Executor::inlined(), box(7)).blockingAwait() == 7);
  CHECK(*repeatUntil(box(8), [](const Box& b) { return *b == 8; }).blockingAwait() == 8);
}

TEST_CASE("parSequence and parTraverse gather move-only values") {
  const auto all = parSequence(std::vector{box(1), box(2)}).blockingAwait();
  CHECK(*all.at(0) + *all.at(1) == 3);
  const auto traversed = parTraverse(std::vector{3, 4}, 2, [](int i) { return box(i); }).blockingAwait();
  CHECK(*traversed.at(0) + *traversed.at(1) == 7);
}

TEST_CASE("a move-only value is awaited on a fiber and in a coroutine") {
  test::FakeResources fake;
  const auto acquiring =
      fake.make("a").map([](const std::string& a) { return std::make_unique<int>(a.size()); });
  const auto onFiber = direct<Do>([=] {
    const Box first = !acquiring;
    Box second = await(box(*first + 1));
    return second;
  });
  CHECK(*onFiber.blockingAwait() == 2);
  const auto inCoroutine = direct<Do>([=]() -> Coroutine<Box> {
    const Box first = co_await acquiring;
    Box second = co_await box(*first + 2);
    co_return second;
  });
  CHECK(*inCoroutine.blockingAwait() == 3);
  CHECK(fake.log() == "+a -a +a -a");
}
