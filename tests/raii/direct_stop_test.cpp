// How blocks of direct<Do> are stopped, and what they release then.
#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

#include "support/delivery.hpp"
#include "support/error_text.hpp"
#include "support/fake_resource.hpp"
#include "support/manual.hpp"
#include "tapestry/raii/direct.hpp"

using namespace tapestry;
using test::Delivery;
using test::FakeResources;
using test::Manual;
using test::outcomeText;

TEST_CASE("a block that is cancelled is unwound and releases what it has acquired in reverse order") {
  FakeResources fakes;
  Manual<int> manual;
  Delivery<void> delivery;
  const StopSource source;
  direct<Do>([&] {
    const struct AtExit {
      FakeResources& fakes;
      ~AtExit() { fakes.note("unwound"); }
    } atExit{fakes};
    !fakes.make("a");
    !fakes.make("b");
    !manual.program();
    fakes.note("not reached");
  }).onComplete(delivery.callback(), source.token());
  source.requestStop();
  CHECK(fakes.log() == "+a +b");
  manual.take()(1);
  CHECK(delivery.outcome().isCancelled());
  CHECK(fakes.log() == "+a +b unwound -b -a");
}

TEST_CASE("a resource that completes after the request to stop is released before the block is unwound") {
  FakeResources fakes;
  Manual<void> manual;
  Delivery<void> delivery;
  const StopSource source;
  direct<Do>([&] {
    !fakes.make("a");
    !fakes.make("b", {.acquiring = Do<void>::lift(manual.program())});
    fakes.note("not reached");
  }).onComplete(delivery.callback(), source.token());
  source.requestStop();
  manual.take()();
  CHECK(delivery.outcome().isCancelled());
  CHECK(fakes.log() == "+a +b -b -a");
  CHECK(fakes.faults().empty());
}

TEST_CASE("cancellation is not an error for the block's handlers nor for those of the Do") {
  const StopSource source;
  Delivery<int> delivery;
  int handled = 0;
  direct<Do>([&] {
    try {
      source.requestStop();
      return !Do<int>::now(1);
    } catch (const std::exception&) {
      ++handled;
      return 2;
    }
  })
      .handleError([&](auto) {
        ++handled;
        return Do<int>::now(3);
      })
      .onComplete(delivery.callback(), source.token());
  CHECK(delivery.outcome().isCancelled());
  CHECK(handled == 0);
}

TEST_CASE("a block that swallows its cancellation acquires nothing more and ends cancelled") {
  FakeResources fakes;
  const StopSource source;
  Delivery<int> delivery;
  direct<Do>([&] {
    !fakes.make("a");
    source.requestStop();
    for (int i = 0; i < 3; ++i) {
      try {
        !fakes.make("b");
      } catch (const Cancelled&) {
      }
    }
    return 1;
  }).onComplete(delivery.callback(), source.token());
  CHECK(delivery.outcome().isCancelled());
  CHECK(fakes.log() == "+a -a");
}

TEST_CASE("errors that a cancelled block throws and those of its releases are delivered in order") {
  FakeResources fakes;
  const StopSource source;
  Delivery<int> delivery;
  direct<Do>([&]() -> int {
    !fakes.failingRelease("a");
    try {
      source.requestStop();
      return !Do<int>::now(1);
    } catch (const Cancelled&) {
      throw std::runtime_error("body");
    }
  }).onComplete(delivery.callback(), source.token());
  CHECK(outcomeText(delivery.outcome()) == "[body, release a]");
}

TEST_CASE("a block that throws Cancelled cancels its run and releases") {
  FakeResources fakes;
  Delivery<void> delivery;
  direct<Do>([&] {
    !fakes.make("a");
    throw Cancelled();
  }).onComplete(delivery.callback());
  CHECK(delivery.outcome().isCancelled());
  CHECK(fakes.log() == "+a -a");
}

TEST_CASE(
    "wherever a block of nested blocks is cancelled or fails everything is released once in reverse order") {
  for (const bool fails : {false, true}) {
    for (std::size_t at = 0; at < 12; ++at) {
      CAPTURE(fails);
      CAPTURE(at);
      FakeResources fakes;
      const StopSource source;
      const auto level = [&](const std::string& name, const Do<int>& inner) {
        return direct<Do>([&fakes, name, inner] {
          !fakes.make(name);
          const int value = !inner;
          !fakes.make(name + "'");
          return value + 1;
        });
      };
      const auto program = level("a", level("b", level("c", Do<int>::now(0)).run()));
      fakes.onEvent = [&](std::size_t index) {
        if (index != at) return;
        if (fails) throw std::runtime_error("injected");
        source.requestStop();
      };
      Delivery<int> delivery;
      program.onComplete(delivery.callback(), source.token());
      CHECK(delivery.count() == 1);
      const auto text = outcomeText(delivery.outcome());
      if (fails)
        CHECK(text == "injected");
      else
        CHECK((text == "cancelled" || text == "value"));
      CHECK(fakes.outOfOrder() == 0);
      CHECK(fakes.faults().empty());
      CHECK(fakes.open() == 0);
    }
  }
}
