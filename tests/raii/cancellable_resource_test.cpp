#include "tapestry/raii/cancellable_resource.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

#include "support/programs/after.hpp"
#include "support/programs/fake_resource.hpp"
#include "support/programs/runs.hpp"
#include "tapestry/raii/environment.hpp"
#include "tapestry/testing/virtual_clock.hpp"

using namespace tapestry;
using namespace std::chrono_literals;
using test::Delivery;
using test::errorOf;
using test::FakeResources;
using test::Manual;
using test::outcomeText;

TEST_CASE("a cancellableResource is released at the end of the scope, for any outcome") {
  FakeResources fake;
  const auto one = cancellableResource(Do<std::string>::delay([&fake] {
                                         fake.acquired("a");
                                         return std::string("a");
                                       }),
                                       [&fake](const std::string& name) { fake.released(name); });
  CHECK(one.map([&fake](const std::string& name) {
             CHECK(fake.isOpen("a"));
             return name;
           })
            .blockingAwait() == "a");
  const auto failing =
      one.flatMap([](const std::string&) { return Do<int>::raiseError(std::runtime_error("body")); });
  CHECK(errorOf([&] { failing.blockingAwait(); }) == "body");
  CHECK(fake.log() == "+a -a +a -a");
}

TEST_CASE("an acquire of a cancellableResource that waits is ended by a request to stop, and cleans up") {
  testing::VirtualClock clock;
  FakeResources fake;
  const StopSource source;
  Delivery<void> delivery;
  const auto waiting = fake.make("queue").flatMap([](const std::string&) { return test::after(1s); }).run();
  const auto program = cancellableResource(waiting, [&fake] { fake.note("release"); });
  withClock(clock, program).onComplete(delivery.callback(), source.token());
  CHECK(fake.log() == "+queue");
  source.requestStop();
  CHECK(delivery.outcome().isCancelled());
  CHECK(fake.log() == "+queue -queue");
}

TEST_CASE("a request to stop that comes when a cancellableResource is acquired releases it") {
  int released = 0;
  const StopSource source;
  Manual<int> manual;
  Delivery<int> delivery;
  const auto program =
      cancellableResource(Do<int>::lift(manual.deaf()), [&released](int value) { released += value; });
  program.flatMap([](int x) { return Do<int>::now(x); }).onComplete(delivery.callback(), source.token());
  source.requestStop();
  manual.take()(3);
  CHECK(delivery.outcome().isCancelled());
  CHECK(released == 3);
}

TEST_CASE("the release of a cancellableResource is masked, and may be a program that fails") {
  Manual<void> releasing;
  const StopSource source;
  Delivery<int> delivery;
  const auto program = cancellableResource(Do<int>::now(1), [&releasing](int) {
    return Do<void>::lift(releasing.program()).flatMap([] {
      return Do<void>::raiseError(std::runtime_error("release"));
    });
  });
  program.onComplete(delivery.callback(), source.token());
  source.requestStop();
  releasing.take()();
  CHECK(outcomeText(delivery.outcome()) == "release");
}
