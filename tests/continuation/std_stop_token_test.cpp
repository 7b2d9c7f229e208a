#include "tapestry/continuation/std_stop_token.hpp"

#include <doctest/doctest.h>

#include <concepts>
#include <optional>
#include <stop_token>
#include <thread>

#include "support/programs/runs.hpp"
#include "tapestry/continuation/blocking.hpp"

using namespace tapestry;
using test::Delivery;
using test::Manual;
using test::outcomeText;

static_assert(!std::copyable<LinkedStopSource>);
static_assert(!std::copyable<LinkedStdStopSource>);
static_assert(!std::convertible_to<std::stop_token, LinkedStopSource>);

TEST_CASE("a std::stop_source asks a run to stop") {
  std::stop_source source;
  const LinkedStopSource linked(source.get_token());
  Manual<int> manual;
  Delivery<int> delivery;
  manual.program().onComplete(delivery.callback(), linked.token());
  CHECK(delivery.count() == 0);
  CHECK_FALSE(linked.stopRequested());
  source.request_stop();
  CHECK(outcomeText(delivery.outcome()) == "cancelled");
  CHECK(linked.stopRequested());
}

TEST_CASE("a request that was made before is there at once, and a token of nothing never stops") {
  std::stop_source source;
  source.request_stop();
  CHECK(LinkedStopSource(source.get_token()).token().stopRequested());
  CHECK_FALSE(LinkedStopSource(std::stop_token()).token().stopRequested());
  const StopSource other;
  other.requestStop();
  CHECK(LinkedStdStopSource(other.token()).token().stop_requested());
  CHECK_FALSE(LinkedStdStopSource(StopToken()).token().stop_requested());
}

TEST_CASE("the run that is asked to stop may destroy the link, whose token gets no request afterwards") {
  std::stop_source source;
  std::optional<LinkedStopSource> linked(source.get_token());
  Manual<int> manual;
  bool cancelled = false;
  manual.program().onComplete(
      [&](const Outcome<int>& outcome) {
        cancelled = outcome.isCancelled();
        linked.reset();
      },
      linked->token());
  source.request_stop();
  CHECK(cancelled);
  CHECK_FALSE(linked);

  std::stop_source second;
  linked.emplace(second.get_token());
  const StopToken token = linked->token();
  linked.reset();
  second.request_stop();
  CHECK_FALSE(token.stopRequested());
}

TEST_CASE("a StopSource asks what has a std::stop_callback") {
  const StopSource source;
  std::optional<LinkedStdStopSource> linked(source.token());
  int calls = 0;
  const std::stop_callback callback(linked->token(), [&] {
    ++calls;
    linked.reset();
  });
  CHECK(calls == 0);
  source.requestStop();
  source.requestStop();
  CHECK(calls == 1);
}

TEST_CASE("a run's own request reaches a function that takes a std::stop_token") {
  const StopSource source;
  Delivery<int> delivery;
  std::atomic<bool> begun = false;
  blocking([&](StopToken own) {
    const LinkedStdStopSource stop(std::move(own));
    begun = true;
    const std::stop_token token = stop.token();
    while (!token.stop_requested()) std::this_thread::yield();
    return 1;
  }).onComplete(delivery.callback(), source.token());
  while (!begun) std::this_thread::yield();
  source.requestStop();
  CHECK(delivery.outcome().get() == 1);
}
