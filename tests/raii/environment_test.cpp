#include "tapestry/raii/environment.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "support/programs/delivery.hpp"
#include "support/programs/fake_resource.hpp"
#include "tapestry/continuation/sleep_for.hpp"
#include "tapestry/raii.hpp"
#include "tapestry/raii/direct/direct.hpp"
#include "tapestry/testing/virtual_clock.hpp"

using namespace tapestry;
using namespace std::chrono_literals;

namespace {

struct SpanLines final : RunObserver {
  void entered(const RunSpan& span, const void*) noexcept override { lines.push_back("in " + span.name()); }
  void left(const RunSpan& span, const void*) noexcept override { lines.push_back("out " + span.name()); }
  std::vector<std::string> lines;
};

using Lines = std::vector<std::string>;

}  // namespace

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

TEST_CASE("a Do and its releases draw from the random numbers that they are given") {
  Random random(3);
  Random* released = nullptr;
  const auto drawn = Do<Random*>::lift(askRandom());
  const auto acquired =
      resource(drawn, [&](Random*) { return drawn.map([&](Random* seen) { released = seen; }); });
  CHECK(withRandom(random, acquired).blockingAwait() == &random);
  CHECK(released == &random);
}

TEST_CASE("an observer is notified of named Dos and of their releases") {
  SpanLines names;
  const auto opened = resource(Do<int>::now(1), [](int) { return Do<void>::now().named("close"); });
  CHECK(withObserver(names, opened.named("connection")).blockingAwait() == 1);
  CHECK(names.lines ==
        Lines{"in connection", "out connection", "in connection", "in close", "out close", "out connection"});
}

TEST_CASE("an observer is notified of Dos that fail and of Dos that a fiber awaits") {
  SpanLines names;
  const auto failing = Do<int>::raiseError("fails").named("failing");
  const auto block = direct<Do>([=] { return await(failing); }).named("block");
  CHECK(withObserver(names, block).attempt().blockingAwait().error() != nullptr);
  CHECK(names.lines == Lines{"in block", "in failing", "out failing", "out block"});
}
