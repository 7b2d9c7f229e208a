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
  test::Delivery<void> delivery;
  withClock(clock, program.run()).onComplete(delivery.callback());
  clock.advance(2ms);
  CHECK(fake.log() == "+a");
  CHECK(delivery.count() == 0);
  clock.advance(2ms);
  CHECK(fake.log() == "+a -a");
  CHECK(delivery.outcome().hasValue());
}
