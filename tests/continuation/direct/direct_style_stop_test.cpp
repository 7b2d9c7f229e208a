// One suite for the styles in which programs are written: how they are stopped.
#include <doctest/doctest.h>

#include "support/programs/delivery.hpp"
#include "support/programs/direct_styles.hpp"
#include "tapestry/continuation/mask.hpp"

using namespace tapestry;
using test::Coroutines;
using test::Counted;
using test::Delivery;
using test::Fibers;
using test::Ints;
using test::isError;
using test::Manual;
using test::Monadic;

TEST_CASE_TEMPLATE("a suspended program that is asked to stop destroys what it holds and does not continue",
                   Style, Monadic, Fibers, Coroutines) {
  {
    Manual<int> manual;
    Delivery<void> delivery;
    const StopSource source;
    bool wentOn = false;
    bool finalized = false;
    ensure(Style::holding(ensure(manual.program(), Style::nothing(finalized)), wentOn), now())
        .onComplete(delivery.callback(), source.token());
    CHECK(Counted::live() > 0);
    CHECK(delivery.count() == 0);
    source.requestStop();
    CHECK(delivery.outcome().isCancelled());
    manual.take()(1);
    CHECK(finalized);
    CHECK_FALSE(wentOn);
  }
  CHECK(Counted::live() == 0);
}

TEST_CASE_TEMPLATE("a loop of synchronous awaits sees a request to stop", Style, Monadic, Fibers,
                   Coroutines) {
  const StopSource source;
  int rounds = 0;
  const auto program = Style::forever(now(), delay([&] {
                                        if (++rounds == 100) source.requestStop();
                                      }));
  CHECK_THROWS_AS(program.blockingAwait(source.token()), Cancelled);
  CHECK(rounds == 100);
}

TEST_CASE_TEMPLATE("a program that was asked to stop begins nothing more", Style, Monadic, Fibers,
                   Coroutines) {
  const StopSource source;
  bool begun = false;
  const auto stop = delay([&] {
    source.requestStop();
    return 1;
  });
  const auto begin = delay([&] {
    begun = true;
    return 2;
  });
  CHECK_THROWS_AS(Style::sequence(stop, begin, begin).blockingAwait(source.token()), Cancelled);
  CHECK_FALSE(begun);
}

TEST_CASE_TEMPLATE("a masked program and a program that awaits one do not see a request to stop there", Style,
                   Monadic, Fibers, Coroutines) {
  const StopSource source;
  int finished = 0;
  const auto stop = delay([&] {
    source.requestStop();
    return 1;
  });
  const auto finish = delay([&] { return ++finished; });
  const auto masked = mask(Style::sequence(stop, finish, now(3)));
  CHECK(masked.blockingAwait(source.token()) == 113);

  const StopSource second;
  const auto program = Style::sequence(mask(Style::sequence(delay([&] {
                                                              second.requestStop();
                                                              return 1;
                                                            }),
                                                            finish, now(3))),
                                       finish, finish);
  CHECK_THROWS_AS(program.blockingAwait(second.token()), Cancelled);
  CHECK(finished == 2);
}

TEST_CASE_TEMPLATE("a program whose callback is dropped is stopped with that error", Style, Monadic, Fibers,
                   Coroutines) {
  {
    Manual<int> manual;
    Delivery<void> delivery;
    bool wentOn = false;
    Style::holding(manual.program(), wentOn).onComplete(delivery.callback());
    { const auto dropped = manual.take(); }
    CHECK(isError<BrokenCallback>(delivery.outcome().error()));
    CHECK_FALSE(wentOn);
  }
  CHECK(Counted::live() == 0);
}

TEST_CASE_TEMPLATE("a stop passes through all programs that enclose what waits", Style, Monadic, Fibers,
                   Coroutines) {
  Manual<int> manual;
  Delivery<int> delivery;
  int ends = 0;
  const StopSource source;
  Style::nested(50, manual.program(), ends).onComplete(delivery.callback(), source.token());
  CHECK(ends == 0);
  source.requestStop();
  CHECK(ends == 51);
  CHECK(delivery.outcome().isCancelled());
}

TEST_CASE_TEMPLATE(
    "when one of two parallel programs is stopped, the other is asked to stop, and both end stopped", Style,
    Monadic, Fibers, Coroutines) {
  Manual<int> manual;
  Delivery<std::tuple<int, int>> delivery;
  bool goneOn = false;
  Style::both(manual.program(), manual.deaf().flatMap([&](int x) {
    goneOn = true;
    return now(x);
  })).onComplete(delivery.callback());
  { const auto dropped = manual.take(); }
  CHECK(delivery.count() == 0);
  manual.take()(1);
  CHECK(isError<BrokenCallback>(delivery.outcome().error()));
  CHECK_FALSE(goneOn);
}

// ---- what only blocks can do

TEST_CASE_TEMPLATE(
    "a block that handles Cancelled gets it again from the next await and its run ends cancelled all the "
    "same",
    Style, Fibers, Coroutines) {
  const StopSource source;
  int caught = 0;
  int begun = 0;
  const auto program = Style::swallowing(delay([&] {
                                           ++begun;
                                           source.requestStop();
                                         }),
                                         3, caught);
  CHECK_THROWS_AS(program.blockingAwait(source.token()), Cancelled);
  CHECK(begun == 1);
  CHECK(caught == 3);
}

TEST_CASE_TEMPLATE("a suspended block that handles Cancelled ends cancelled too", Style, Fibers, Coroutines) {
  Manual<void> manual;
  Delivery<int> delivery;
  const StopSource source;
  int caught = 0;
  Style::swallowing(manual.program(), 3, caught).onComplete(delivery.callback(), source.token());
  CHECK(caught == 0);
  source.requestStop();
  CHECK(caught == 3);
  CHECK(manual.waiting() == 1);
  CHECK(delivery.outcome().isCancelled());
}

TEST_CASE_TEMPLATE("a block that throws Cancelled cancels its run", Style, Fibers, Coroutines) {
  CHECK_THROWS_AS(Style::throwing([] { throw Cancelled(); }).blockingAwait(), Cancelled);
}

TEST_CASE_TEMPLATE("a block gets the error that its run is stopped with and cannot avert it", Style, Fibers,
                   Coroutines) {
  Manual<int> manual;
  Delivery<int> delivery;
  bool caught = false;
  const auto inner = Style::template catching<BrokenCallback>(manual.program());
  Style::template catching<BrokenCallback>(inner.map([&](int x) {
    caught = x == -1;
    return x;
  })).onComplete(delivery.callback());
  { const auto dropped = manual.take(); }
  CHECK(isError<BrokenCallback>(delivery.outcome().error()));
  CHECK_FALSE(caught);
}
