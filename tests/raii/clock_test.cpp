#include "tapestry/raii/clock.hpp"

#include <doctest/doctest.h>

#include "support/delivery.hpp"
#include "support/fake_resource.hpp"
#include "tapestry/continuation/sleep_for.hpp"
#include "tapestry/testing/virtual_clock.hpp"

using namespace tapestry;
using namespace std::chrono_literals;

TEST_CASE("a Do and its releases go by the clock that it is given") {
  testing::VirtualClock clock;
  test::FakeResources fake;
  const auto slowly = Do<void>::lift(sleepFor(2ms));
  const auto program = fake.make("a", {.releasing = slowly}).flatMap([&](const auto&) { return slowly; });
  for (const auto& timed : {withClock(clock, program), withClock(clock, program.run())}) {
    test::Delivery<void> delivery;
    timed.onComplete(delivery.callback());
    clock.advance(2ms);
    CHECK(fake.open() == 1);
    CHECK(delivery.count() == 0);
    clock.advance(2ms);
    CHECK(fake.open() == 0);
    CHECK(delivery.count() == 1);
    CHECK(clock.waiting() == 0);
  }
}
