#include "tapestry/raii/mask.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "support/programs/runs.hpp"
#include "tapestry/raii.hpp"

using namespace tapestry;
using test::Delivery;
using test::isError;
using test::Manual;

TEST_CASE("a masked program continues when its run is asked to stop and is released afterwards") {
  Manual<int> leaf;
  std::vector<std::string> log;
  const StopSource source;
  Delivery<int> delivery;
  const auto inner =
      resource(Do<int>::lift(leaf.program()), [&](int) { log.push_back("release"); }).flatMap([&](int x) {
        log.push_back("inside");
        return Do<int>::now(x);
      });
  mask(inner)
      .flatMap([&](int x) {
        log.push_back("outside");
        return Do<int>::now(x);
      })
      .onComplete(delivery.callback(), source.token());
  source.requestStop();
  CHECK(delivery.count() == 0);
  leaf.take()(1);
  REQUIRE(delivery.count() == 1);
  CHECK(delivery.outcome().isCancelled());
  CHECK(log == std::vector<std::string>{"inside", "release"});
}

TEST_CASE("an error under a mask is an error and without a request nothing changes") {
  CHECK_THROWS_AS(mask(Do<int>::raiseError(std::out_of_range("far"))).blockingAwait(), std::out_of_range);
  CHECK(mask(Do<int>::now(3)).map([](int x) { return x + 1; }).blockingAwait() == 4);
  CHECK_NOTHROW(mask(Do<void>::now()).blockingAwait());
}
