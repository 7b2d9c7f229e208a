// How blocks of direct style are stopped.
#include <doctest/doctest.h>

#include <stdexcept>

#include "support/counted.hpp"
#include "support/delivery.hpp"
#include "support/manual.hpp"
#include "tapestry/continuation/direct.hpp"
#include "tapestry/continuation/mask.hpp"

using namespace tapestry;
using test::Counted;
using test::Delivery;
using test::isError;
using test::Manual;

TEST_CASE("a suspended block that is asked to stop gets Cancelled from its await and is unwound") {
  Manual<int> manual;
  Delivery<void> delivery;
  const StopSource source;
  bool wentOn = false;
  direct<UnitContinuation>([&] {
    const Counted local;
    !manual.program();
    wentOn = true;
  }).onComplete(delivery.callback(), source.token());
  source.requestStop();
  CHECK(Counted::live() == 1);
  manual.take()(1);
  CHECK(delivery.outcome().isCancelled());
  CHECK(Counted::live() == 0);
  CHECK_FALSE(wentOn);
}

TEST_CASE("a loop of synchronous awaits sees a request to stop") {
  const StopSource source;
  int rounds = 0;
  const auto program = direct<UnitContinuation>([&] {
    for (;;) {
      !now();
      if (++rounds == 100) source.requestStop();
    }
  });
  CHECK_THROWS_AS(program.blockingAwait(source.token()), Cancelled);
  CHECK(rounds == 100);
}

TEST_CASE("a block that was asked to stop begins nothing more") {
  const StopSource source;
  bool begun = false;
  const auto program = direct<UnitContinuation>([&] {
    source.requestStop();
    !delay([&] { begun = true; });
  });
  CHECK_THROWS_AS(program.blockingAwait(source.token()), Cancelled);
  CHECK_FALSE(begun);
}

TEST_CASE(
    "a block that handles Cancelled gets it again from the next await and its run ends cancelled all the "
    "same") {
  const StopSource source;
  int cancellations = 0;
  const auto program = direct<UnitContinuation>([&] {
    source.requestStop();
    for (int i = 0; i < 3; ++i) {
      try {
        !now(1);
      } catch (const Cancelled&) {
        ++cancellations;
      }
    }
    return 1;
  });
  CHECK_THROWS_AS(program.blockingAwait(source.token()), Cancelled);
  CHECK(cancellations == 3);
}

TEST_CASE("a block that throws Cancelled cancels its run") {
  CHECK_THROWS_AS(direct<UnitContinuation>([] { throw Cancelled(); }).blockingAwait(), Cancelled);
}

TEST_CASE("a masked block and a masked program in a block do not see a request to stop") {
  const StopSource source;
  const auto masked = mask(direct<UnitContinuation>([&] {
    source.requestStop();
    return !now(1) + !now(2);
  }));
  CHECK(masked.blockingAwait(source.token()) == 3);

  const StopSource second;
  bool finished = false;
  const auto program = direct<UnitContinuation>([&] {
    !mask(delay([&] { second.requestStop(); }).flatMap([&] { return delay([&] { finished = true; }); }));
  });
  CHECK_THROWS_AS(program.blockingAwait(second.token()), Cancelled);
  CHECK(finished);
}

TEST_CASE("a block gets the error that its run is stopped with and cannot avert it") {
  Manual<int> manual;
  Delivery<int> delivery;
  bool caught = false;
  direct<UnitContinuation>([&] {
    try {
      return !manual.program();
    } catch (const BrokenCallback&) {
      caught = true;
    }
    return !now(1);
  }).onComplete(delivery.callback());
  { const auto dropped = manual.take(); }
  CHECK(caught);
  CHECK(isError<BrokenCallback>(delivery.outcome().error()));
}

TEST_CASE("a stop passes through all blocks that enclose it") {
  Manual<void> manual;
  Delivery<void> delivery;
  int unwound = 0;
  struct Level {
    static UnitContinuation<void> of(int depth, Manual<void>& manual, int& unwound) {
      return direct<UnitContinuation>([depth, &manual, &unwound] {
        const struct AtExit {
          int& unwound;
          ~AtExit() { ++unwound; }
        } atExit{unwound};
        if (depth == 0)
          !manual.program();
        else
          !of(depth - 1, manual, unwound);
      });
    }
  };
  const StopSource source;
  Level::of(50, manual, unwound).onComplete(delivery.callback(), source.token());
  source.requestStop();
  CHECK(unwound == 0);
  manual.take()();
  CHECK(unwound == 51);
  CHECK(delivery.outcome().isCancelled());
}

TEST_CASE("when one part of a tuple is stopped the block is as well and the others are asked to") {
  Manual<int> manual;
  Delivery<void> delivery;
  bool goneOn = false;
  direct<UnitContinuation>([&] {
    !std::tuple(manual.program(), manual.program().flatMap([&](int x) {
      goneOn = true;
      return now(x);
    }));
  }).onComplete(delivery.callback());
  { const auto dropped = manual.take(); }
  CHECK(delivery.count() == 0);
  manual.take()(1);
  CHECK(isError<BrokenCallback>(delivery.outcome().error()));
  CHECK_FALSE(goneOn);
}
