#include "tapestry/continuation/mask.hpp"

#include <doctest/doctest.h>

#include "support/programs/runs.hpp"
#include "tapestry/continuation/parallel/tuple2.hpp"
#include "tapestry/continuation/stop.hpp"

using namespace tapestry;
using test::Delivery;
using test::Manual;

namespace {

/// Counts how often it was reached, behind a flatMap.
auto counting(int& count) {
  return now().flatMap([&count] { return delay([&count] { return ++count; }); });
}

}  // namespace

TEST_CASE("mask yields what its program yields") {
  CHECK(mask(now(3)).blockingAwait() == 3);
  CHECK_NOTHROW(mask(now()).blockingAwait());
}

TEST_CASE("a request is not seen under a mask") {
  const StopSource source;
  source.requestStop();
  int count = 0;
  CHECK(mask(counting(count)).blockingAwait(source.token()) == 1);
}

TEST_CASE("a request under a mask is seen at the first flatMap after it") {
  const StopSource source;
  int inside = 0;
  int after = 0;
  const auto program = mask(delay([&] { source.requestStop(); }).flatMap([&] {
                         return counting(inside);
                       })).flatMap([&](int) { return counting(after); });
  CHECK_THROWS_AS(program.blockingAwait(source.token()), Cancelled);
  CHECK(inside == 1);
  CHECK(after == 0);
}

TEST_CASE("leaving an inner mask does not end the outer one") {
  const StopSource source;
  source.requestStop();
  int count = 0;
  const auto program = mask(mask(counting(count)).flatMap([&](int) { return counting(count); }));
  CHECK(program.blockingAwait(source.token()) == 2);
}

TEST_CASE("a masked program that waits runs to its end after a request") {
  const StopSource source;
  Manual<int> manual;
  Delivery<int> delivery;
  mask(manual.program().flatMap([](int x) {
    return now(x + 1);
  })).onComplete(delivery.callback(), source.token());
  source.requestStop();
  manual.take()(1);
  CHECK(delivery.outcome().get() == 2);
}

TEST_CASE("parallel branches under a mask do not see the request either") {
  const StopSource source;
  source.requestStop();
  int count = 0;
  const auto program = mask(tuple2(parallel(counting(count)), parallel(counting(count))));
  CHECK(program.blockingAwait(source.token()) == std::tuple(1, 2));
}

TEST_CASE("a program that is stopped under a mask ends the mask too") {
  const StopSource source;
  int count = 0;
  const auto broken = mask(async<int>([](Callback<int>) {}));
  CHECK_THROWS_AS(broken.blockingAwait(), BrokenCallback);
  const auto program =
      tuple2(parallel(broken), parallel(now(1))).flatMap([&](auto) { return counting(count); });
  CHECK_THROWS_AS(program.blockingAwait(source.token()), BrokenCallback);
  CHECK(count == 0);
}
