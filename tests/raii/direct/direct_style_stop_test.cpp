// One suite for the styles in which a Do is written: how they are stopped, and what they release then.
#include <doctest/doctest.h>

#include <stdexcept>

#include "support/programs/do_styles.hpp"
#include "support/programs/runs.hpp"

using namespace tapestry;
using test::Delivery;
using test::DoCoroutines;
using test::DoFibers;
using test::FakeResources;
using test::Manual;
using test::MonadicDo;
using test::outcomeText;
using test::Text;

namespace {

Do<int> stopping(const StopSource& source) {
  return Do<int>::delay([&source] {
    source.requestStop();
    return 1;
  });
}

/// Its acquire waits for the leaf.
Do<Text> waiting(FakeResources& fakes, Text name, Manual<void>& leaf) {
  return fakes.make(std::move(name), {.acquiring = Do<void>::lift(leaf.program())});
}

}  // namespace

TEST_CASE_TEMPLATE("a resource that completes after the request to stop is released as well", Style,
                   MonadicDo, DoFibers, DoCoroutines) {
  FakeResources fakes;
  Manual<void> manual;
  Delivery<Text> delivery;
  const StopSource source;
  Style::acquiring(fakes, fakes.make("a"),
                   Style::acquiring(fakes, waiting(fakes, "b", manual), fakes.make("c")))
      .onComplete(delivery.callback(), source.token());
  source.requestStop();
  CHECK(fakes.log() == "+a");
  manual.take()();
  CHECK(delivery.outcome().isCancelled());
  CHECK(fakes.log() == "+a +b -b -a");
  CHECK(fakes.faults().empty());
}

TEST_CASE_TEMPLATE("cancellation is not an error for handlers", Style, MonadicDo, DoFibers, DoCoroutines) {
  const StopSource source;
  Delivery<Text> delivery;
  bool handled = false;
  Style::caught(Style::sum(stopping(source), Do<int>::now(1), now(1)), Do<Text>::delay([&] {
                  handled = true;
                  return Text("handled");
                }))
      .onComplete(delivery.callback(), source.token());
  CHECK(delivery.outcome().isCancelled());
  CHECK_FALSE(handled);
}

TEST_CASE_TEMPLATE(
    "wherever nested programs are cancelled or fail everything is released once in reverse order", Style,
    MonadicDo, DoFibers, DoCoroutines) {
  for (const bool fails : {false, true}) {
    for (std::size_t at = 0; at < 12; ++at) {
      CAPTURE(fails);
      CAPTURE(at);
      FakeResources fakes;
      const StopSource source;
      const auto level = [&](const Text& name, const Do<int>& inner) {
        return Style::level(fakes, name, inner);
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

// ---- what only blocks can do

TEST_CASE_TEMPLATE("a block that is cancelled is unwound and releases what it has acquired in reverse order",
                   Style, DoFibers, DoCoroutines) {
  FakeResources fakes;
  Manual<Text> manual;
  Delivery<void> delivery;
  const StopSource source;
  const auto both = fakes.make("a").flatMap([&](const Text&) { return fakes.make("b"); });
  Style::unwinding(fakes, both, Do<Text>::lift(manual.program()))
      .onComplete(delivery.callback(), source.token());
  CHECK(fakes.log() == "+a +b");
  source.requestStop();
  CHECK(delivery.outcome().isCancelled());
  CHECK(fakes.log() == "+a +b unwound -b -a");
}

TEST_CASE_TEMPLATE(
    "a resource that completes after the request to stop is released before the block is unwound", Style,
    DoFibers, DoCoroutines) {
  FakeResources fakes;
  Manual<void> manual;
  Delivery<void> delivery;
  const StopSource source;
  Style::unwinding(fakes, fakes.make("a"), waiting(fakes, "b", manual))
      .onComplete(delivery.callback(), source.token());
  source.requestStop();
  manual.take()();
  CHECK(delivery.outcome().isCancelled());
  CHECK(fakes.log() == "+a +b -b unwound -a");
  CHECK(fakes.faults().empty());
}

TEST_CASE_TEMPLATE("a block that swallows its cancellation acquires nothing more and ends cancelled", Style,
                   DoFibers, DoCoroutines) {
  FakeResources fakes;
  const StopSource source;
  Delivery<int> delivery;
  int caught = 0;
  fakes.onEvent = [&](std::size_t) { source.requestStop(); };
  Style::swallowing(fakes.make("a"), 3, caught).onComplete(delivery.callback(), source.token());
  CHECK(delivery.outcome().isCancelled());
  CHECK(caught == 3);
  CHECK(fakes.log() == "+a -a");
}

TEST_CASE_TEMPLATE("errors that a cancelled block throws and those of its releases are delivered in order",
                   Style, DoFibers, DoCoroutines) {
  FakeResources fakes;
  const StopSource source;
  Delivery<int> delivery;
  Style::replacing(fakes.failingRelease("a"), stopping(source), "body")
      .onComplete(delivery.callback(), source.token());
  CHECK(outcomeText(delivery.outcome()) == "[body, release a]");
}

TEST_CASE_TEMPLATE("a block that throws Cancelled cancels its run and releases", Style, DoFibers,
                   DoCoroutines) {
  FakeResources fakes;
  Delivery<void> delivery;
  Style::calling(fakes.make("a"), [] { throw Cancelled(); }).onComplete(delivery.callback());
  CHECK(delivery.outcome().isCancelled());
  CHECK(fakes.log() == "+a -a");
}
