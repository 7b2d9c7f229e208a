#include "tapestry/continuation/suspend.hpp"

#include <doctest/doctest.h>

#include "support/programs/counted.hpp"
#include "tapestry/continuation/stop.hpp"

using namespace tapestry;
using test::Counted;

TEST_CASE("suspend makes its program afresh in every run and never before") {
  int made = 0;
  const UnitContinuation<int> program = suspend([&] {
    ++made;
    return delay([made] { return made; });
  });
  CHECK(made == 0);
  CHECK(program.blockingAwait() == 1);
  CHECK(program.blockingAwait() == 2);
}

TEST_CASE("suspend accepts void programs") {
  int calls = 0;
  suspend([&] { return delay([&] { ++calls; }); }).blockingAwait();
  CHECK(calls == 1);
}

TEST_CASE("suspend sees a request to stop before it calls its function") {
  int made = 0;
  const StopSource source;
  source.requestStop();
  CHECK_THROWS_AS(suspend([&] { return now(++made); }).blockingAwait(source.token()), Cancelled);
  CHECK(made == 0);
}

TEST_CASE("the program that suspend made is destroyed when its run has ended") {
  const auto program = suspend([] { return delay([counted = Counted(5)] { return counted.value(); }); });
  CHECK(program.blockingAwait() == 5);
  CHECK(Counted::live() == 0);
}
