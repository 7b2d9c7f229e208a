// Coroutines in depth and in great numbers: they are on no native stack but while they run, one at a time.
#include "tapestry/continuation/coroutine/coroutine.hpp"

#include <doctest/doctest.h>

#include <utility>
#include <vector>

#include "support/programs/direct_styles.hpp"
#include "support/programs/runs.hpp"
#include "support/threads/small_stack.hpp"
#include "tapestry/raii/coroutine/coroutine.hpp"
#include "tapestry/raii/scoped.hpp"

using namespace tapestry;
using test::Coroutines;
using test::Counted;
using test::Delivery;
using test::depth;
using test::Fibers;
using test::Manual;
using test::Monadic;

namespace {

struct Failure {};

/// Awaits itself, and at the end the leaf.
Coroutine<int> recursion(int levels, UnitContinuation<int> leaf) {
  const Counted local;
  if (levels == 0) co_return co_await leaf;
  co_return 1 + co_await recursion(levels - 1, leaf);
}

Coroutine<int> failing(int levels) {
  if (levels > 0) co_return 1 + co_await failing(levels - 1);
  co_await now();
  throw Failure();
}

Coroutine<int> wrapping(Coroutine<int> inner) { co_return 1 + co_await std::move(inner); }

Coroutine<int> wrapped(int levels) {
  auto coroutine = wrapping(recursion(0, now(0)));
  for (int i = 1; i < levels; ++i) coroutine = wrapping(std::move(coroutine));
  return coroutine;
}

}  // namespace

TEST_CASE_TEMPLATE("a program awaits 1000000 synchronous programs in a loop", Style, Monadic, Fibers,
                   Coroutines) {
  CHECK(Style::loop(depth, now(1)).blockingAwait() == depth);
  CHECK(Style::loop(depth, delay([] { return 1; }).flatMap([](int x) { return now(x); })).blockingAwait() ==
        depth);
}

TEST_CASE("a coroutine of Do awaits 1000000 synchronous programs in a loop") {
  const auto program = direct<Do>([]() -> Coroutine<long> {
    long sum = 0;
    const auto one = Do<int>::now(1);
    for (int i = 0; i < depth; ++i) sum += co_await one;
    co_return sum;
  });
  CHECK(program.blockingAwait() == depth);
}

TEST_CASE("a coroutine awaits 1000000 coroutines in a loop") {
  const auto program = direct<UnitContinuation>([]() -> Coroutine<long> {
    long sum = 0;
    for (int i = 0; i < depth; ++i) sum += co_await recursion(1, now(0));
    co_return sum;
  });
  CHECK(program.blockingAwait() == depth);
}

TEST_CASE("a coroutine awaits itself 1000000 deep and completes") {
  Manual<int> leaf;
  Delivery<int> delivery;
  direct<UnitContinuation>([&] { return recursion(depth, leaf.program()); }).onComplete(delivery.callback());
  REQUIRE(leaf.waiting() == 1);
  CHECK(Counted::live() == depth + 1);
  leaf.take()(5);
  CHECK(delivery.outcome().get() == depth + 5);
  CHECK(Counted::live() == 0);
}

TEST_CASE("a coroutine awaits itself 1000000 deep and is cancelled") {
  Manual<int> leaf;
  Delivery<int> delivery;
  const StopSource source;
  direct<UnitContinuation>([&] {
    return recursion(depth, leaf.program());
  }).onComplete(delivery.callback(), source.token());
  CHECK(Counted::live() == depth + 1);
  source.requestStop();
  CHECK(delivery.outcome().isCancelled());
  CHECK(Counted::live() == 0);
}

TEST_CASE("an exception passes through 1000000 coroutines") {
  const auto program = direct<UnitContinuation>([]() -> Coroutine<int> {
    try {
      co_return co_await failing(depth);
    } catch (const Failure&) {
      co_return -1;
    }
  });
  CHECK(program.blockingAwait() == -1);
}

TEST_CASE("1000000 coroutines that hold each other are awaited or destroyed unawaited") {
  CHECK(direct<UnitContinuation>([] { return wrapped(depth); }).blockingAwait() == depth);
  const auto dropped = wrapped(depth);
}

TEST_CASE("1000000 nested blocks of coroutines are suspended at once and completed") {
  Manual<int> leaf;
  Delivery<int> delivery;
  int ends = 0;
  Coroutines::nested(depth, leaf.program(), ends).onComplete(delivery.callback());
  REQUIRE(leaf.waiting() == 1);
  CHECK(ends == 0);
  leaf.take()(5);
  CHECK(delivery.outcome().get() == depth + 5);
  CHECK(ends == depth + 1);
}

TEST_CASE("100000 nested blocks of coroutines are suspended at once and cancelled") {
  Manual<int> leaf;
  Delivery<int> delivery;
  const StopSource source;
  int ends = 0;
  Coroutines::nested(depth / 10, leaf.program(), ends).onComplete(delivery.callback(), source.token());
  REQUIRE(leaf.waiting() == 1);
  CHECK(ends == 0);
  source.requestStop();
  CHECK(delivery.outcome().isCancelled());
  CHECK(ends == depth / 10 + 1);
}

TEST_CASE("a coroutine holds 100000 resources and releases them") {
  long open = 0;
  const auto one = resource(Do<int>::delay([&] {
                              ++open;
                              return 1;
                            }),
                            [&](int) { --open; });
  const auto program = direct<Do>([&]() -> Coroutine<long> {
    for (int i = 0; i < 100'000; ++i) co_await one;
    co_return open;
  });
  CHECK(program.blockingAwait() == 100'000);
  CHECK(open == 0);
}
