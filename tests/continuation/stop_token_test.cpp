#include "tapestry/continuation/stop_token.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "support/programs/runs.hpp"
#include "support/threads/within.hpp"
#include "tapestry/continuation.hpp"
#include "tapestry/continuation/blocking.hpp"
#include "tapestry/continuation/parallel/par_traverse.hpp"
#include "tapestry/continuation/parallel/race.hpp"
#include "tapestry/continuation/parallel/timeout.hpp"
#include "tapestry/testing/virtual_clock.hpp"

using namespace tapestry;
using namespace std::chrono_literals;
using test::Delivery;
using test::Manual;

namespace {

/// Keeps the token of the run for the test, and waits.
auto kept(std::optional<StopToken>& token, Manual<int>& manual) {
  return stopToken().flatMap([&](StopToken own) {
    token = std::move(own);
    return manual.deaf();
  });
}

}  // namespace

TEST_CASE("a run sees whether it was asked to stop") {
  const StopSource source;
  Manual<int> manual;
  std::optional<StopToken> token;
  Delivery<int> delivery;
  kept(token, manual).onComplete(delivery.callback(), source.token());
  REQUIRE(token);
  CHECK_FALSE(token->stopRequested());
  source.requestStop();
  CHECK(token->stopRequested());
  manual.take()(1);
}

TEST_CASE("the token of a run that cannot be stopped, and of a run under a mask, never stops") {
  CHECK_FALSE(stopToken().blockingAwait().stopRequested());
  const StopSource source;
  source.requestStop();
  CHECK_FALSE(mask(stopToken()).blockingAwait(source.token()).stopRequested());
  CHECK(stopToken().blockingAwait(source.token()).stopRequested());
}

TEST_CASE("the token of a branch gets the requests of the other branches, and may outlive all of them") {
  Manual<int> manual;
  std::optional<StopToken> token;
  Delivery<std::variant<int, int>> delivery;
  race(kept(token, manual), now(1)).onComplete(delivery.callback());
  REQUIRE(token);
  CHECK(token->stopRequested());
  CHECK(delivery.count() == 0);
  manual.take()(2);
  CHECK(delivery.outcome().get().index() == 1);
  CHECK(token->stopRequested());
}

TEST_CASE("the token of a nested branch gets a request to stop the root") {
  const StopSource source;
  Manual<int> manual;
  std::optional<StopToken> token;
  const auto inner = tuple2(parallel(kept(token, manual)), parallel(now(1)));
  Delivery<std::tuple<std::tuple<int, int>, int>> delivery;
  tuple2(parallel(inner), parallel(now(2))).onComplete(delivery.callback(), source.token());
  REQUIRE(token);
  CHECK_FALSE(token->stopRequested());
  source.requestStop();
  CHECK(token->stopRequested());
  CHECK(delivery.count() == 0);
  manual.take()(1);
  CHECK(delivery.count() == 1);
}

TEST_CASE("the token of an element of a traversal is asked when another fails, and may be kept") {
  Manual<int> manual;
  std::optional<StopToken> token;
  std::optional<Callback<int>> broken;
  Delivery<std::vector<int>> delivery;
  parTraverse(std::vector{0, 1}, 2, [&](int element) -> UnitContinuation<int> {
    if (element == 0) return kept(token, manual);
    return async<int>([&](Callback<int> callback) { broken = std::move(callback); });
  }).onComplete(delivery.callback());
  REQUIRE(token);
  CHECK_FALSE(token->stopRequested());
  broken.reset();
  CHECK(token->stopRequested());
  manual.take()(1);
  CHECK(delivery.outcome().hasError());
  CHECK(token->stopRequested());
}

TEST_CASE("a kept token of a traversal keeps nothing of its range") {
  const auto element = std::make_shared<int>(1);
  std::optional<StopToken> token;
  {
    const auto program = parTraverse(std::vector{element}, 1, [&](const std::shared_ptr<int>&) {
      return stopToken().map([&](StopToken own) {
        token = std::move(own);
        return 1;
      });
    });
    CHECK(program.blockingAwait(StopSource().token()).size() == 1);
  }
  CHECK(token);
  CHECK(element.use_count() == 1);
}

TEST_CASE("the token of a program with a time limit gets a request when the time is over") {
  testing::VirtualClock clock;
  Manual<int> manual;
  std::optional<StopToken> token;
  Delivery<std::optional<int>> delivery;
  withClock(clock, timeout(kept(token, manual), 1h)).onComplete(delivery.callback());
  REQUIRE(token);
  clock.advance(59min);
  CHECK_FALSE(token->stopRequested());
  clock.advance(1min);
  CHECK(token->stopRequested());
  manual.take()(1);
  CHECK(delivery.outcome().get() == std::nullopt);
}

TEST_CASE("a token that outlives its run and its executor gets no more requests") {
  std::optional<StopToken> token;
  std::optional<StopToken> ofBranch;
  const StopSource source;
  {
    ThreadPool pool(2);
    const auto branch = stopToken().map([&](StopToken own) { ofBranch = std::move(own); });
    const auto program = stopToken().map([&](StopToken own) { token = std::move(own); }).flatMap([&] {
      return tuple2(parallel(branch), parallel(now(1)));
    });
    Delivery<std::tuple<Unit, int>> delivery;
    program.onComplete(delivery.callback(), pool, source.token());
    CHECK(delivery.outcome().hasValue());
  }
  CHECK_FALSE(ofBranch->stopRequested());
  source.requestStop();
  CHECK_FALSE(ofBranch->stopRequested());
}

TEST_CASE("a function that blocks can see the request and give up") {
  const StopSource source;
  std::atomic<bool> began{false};
  const auto program = blocking([&](const StopToken& stop) {
    began = true;
    while (!stop.stopRequested()) std::this_thread::yield();
    return 1;
  });
  Delivery<int> delivery;
  program.onComplete(delivery.callback(), source.token());
  REQUIRE(test::within(10s, [&] { return began.load(); }));
  CHECK(delivery.count() == 0);
  source.requestStop();
  delivery.outcome();
  CHECK(delivery.count() == 1);
}

TEST_CASE("branches on other threads see the request by their own tokens") {
  ThreadPool pool(2);
  for (int round = 0; round < 200; ++round) {
    const StopSource source;
    std::atomic<int> began{0};
    const auto branch = [&] {
      return parallel(stopToken().map([&](const StopToken& stop) {
        ++began;
        while (!stop.stopRequested()) std::this_thread::yield();
      }));
    };
    Delivery<std::tuple<Unit, Unit>> delivery;
    tuple2(branch(), branch()).onComplete(delivery.callback(), pool, source.token());
    REQUIRE(test::within(10s, [&] { return began.load() > 0; }));
    source.requestStop();
    delivery.outcome();
    CHECK(delivery.count() == 1);
  }
}
