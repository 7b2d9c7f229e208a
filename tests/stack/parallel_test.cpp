// Parallel tuples, nested a million deep, on a small native stack.
#include <doctest/doctest.h>

#include <vector>

#include "support/programs/nested_do.hpp"
#include "support/programs/runs.hpp"
#include "support/threads/small_stack.hpp"
#include "tapestry/continuation.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/continuation/stop.hpp"

using namespace tapestry;
using test::Counted;
using test::Delivery;
using test::depth;
using test::isError;
using test::Manual;
using test::sum;

namespace {

UnitContinuation<int> pairsOnTheLeft(UnitContinuation<int> program) {
  for (int i = 0; i < depth; ++i) program = tuple2(parallel(std::move(program)), parallel(now(1))).map(sum);
  return program;
}

UnitContinuation<int> pairsOnTheRight(UnitContinuation<int> program) {
  for (int i = 0; i < depth; ++i) program = tuple2(parallel(now(1)), parallel(std::move(program))).map(sum);
  return program;
}

}  // namespace

TEST_CASE("parallel tuple2 runs nested a million deep on the left without a pool") {
  CHECK(pairsOnTheLeft(now(0)).blockingAwait() == depth);
}

TEST_CASE("parallel tuple2 runs nested a million deep on the right without a pool") {
  CHECK(pairsOnTheRight(now(0)).blockingAwait() == depth);
}

TEST_CASE("parallel tuple2 runs nested a million deep on a pool") {
  ThreadPool pool(2);
  CHECK(pairsOnTheLeft(now(0)).blockingAwait(pool) == depth);
  CHECK(pairsOnTheRight(now(0)).blockingAwait(pool) == depth);
}

TEST_CASE("a run of parallel tuples a million deep that started on a pool ends on it") {
  ThreadPool pool(2);
  Delivery<int> delivery;
  pairsOnTheRight(now(0)).onComplete(delivery.callback(), pool);
  CHECK(delivery.outcome().get() == depth);
}

TEST_CASE("nested parallel tuples are destroyed without being run") {
  {
    const auto program = pairsOnTheLeft(delay([counted = Counted(1)] { return counted.value(); }));
    CHECK(Counted::live() == 1);
  }
  CHECK(Counted::live() == 0);
}

TEST_CASE("a request to stop reaches a million nested parallel tuples") {
  Manual<int> manual;
  Delivery<int> delivery;
  const StopSource source;
  int steps = 0;
  pairsOnTheLeft(manual.deaf().flatMap([&](int x) {
    return ++steps, now(x);
  })).onComplete(delivery.callback(), source.token());
  source.requestStop();
  CHECK(delivery.count() == 0);
  manual.take()(1);
  CHECK(delivery.outcome().isCancelled());
  CHECK(steps == 0);
}

TEST_CASE("a leaf that breaks stops a million nested parallel tuples around it") {
  const auto broken = async<int>([](Callback<int>) {});
  CHECK_THROWS_AS(pairsOnTheLeft(broken).blockingAwait(), BrokenCallback);
  CHECK_THROWS_AS(pairsOnTheRight(broken).blockingAwait(), BrokenCallback);
}
