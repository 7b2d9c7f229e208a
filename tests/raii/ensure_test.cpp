#include "tapestry/raii/ensure.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

#include "support/error_text.hpp"
#include "support/programs/fake_resource.hpp"
#include "support/programs/runs.hpp"
#include "tapestry/raii/coroutine/coroutine.hpp"

using namespace tapestry;
using test::Delivery;
using test::errorOf;
using test::FakeResources;
using test::Manual;
using test::outcomeText;

namespace {

Do<void> noting(FakeResources& fake) {
  return Do<void>::delay([&fake] { fake.note("finalizer"); });
}

}  // namespace

TEST_CASE("ensure runs its finalizer after the releases of the program, and before what follows") {
  FakeResources fake;
  const auto program = ensure(fake.make("a"), noting(fake)).map([&fake](const std::string& name) {
    fake.note("use");
    return name;
  });
  CHECK(program.blockingAwait() == "a");
  CHECK(fake.log() == "+a -a finalizer use");
}

TEST_CASE("ensure runs its finalizer after an error, which handleError sees after that") {
  FakeResources fake;
  const auto failing =
      fake.make("a").flatMap([](const auto&) { return Do<int>::raiseError(std::runtime_error("no")); });
  const auto program = ensure(failing, noting(fake)).handleError([&fake](const auto&) {
    fake.note("handle");
    return Do<int>::now(1);
  });
  CHECK(program.blockingAwait() == 1);
  CHECK(fake.log() == "+a -a finalizer handle");
}

TEST_CASE("ensure runs its finalizer after a cancellation, also of what was not begun") {
  FakeResources fake;
  Manual<int> manual;
  const StopSource source;
  Delivery<int> delivery;
  const auto waiting = fake.make("a").flatMap([&](const auto&) { return Do<int>::lift(manual.program()); });
  const auto program = ensure(waiting.flatMap([](int x) { return Do<int>::now(x); }), noting(fake));
  program.onComplete(delivery.callback(), source.token());
  CHECK(fake.log() == "+a");
  source.requestStop();
  CHECK(delivery.outcome().isCancelled());
  CHECK(fake.log() == "+a -a finalizer");
  CHECK_THROWS_AS(program.blockingAwait(source.token()), Cancelled);
  CHECK(fake.log() == "+a -a finalizer finalizer");
}

TEST_CASE("errors of a finalizer follow those of the program") {
  FakeResources fake;
  const auto failing = Do<void>::raiseError(std::runtime_error("finalizer"));
  CHECK(errorOf([&] { ensure(Do<int>::now(1), failing).blockingAwait(); }) == "finalizer");
  CHECK(errorOf([&] { ensure(fake.failingRelease("a"), failing).blockingAwait(); }) ==
        "[release a, finalizer]");
  CHECK(errorOf([&] { ensure(Do<int>::raiseError(std::runtime_error("body")), failing).blockingAwait(); }) ==
        "[body, finalizer]");
}

TEST_CASE("a finalizer that throws Cancelled, or that cancels itself, has failed with ReleaseCancelled") {
  const auto throws = Do<void>::delay([] { throw Cancelled(); });
  const auto stops = direct<Do>([]() -> Coroutine<void> {
    co_await Do<void>::now();
    throw Cancelled();
  });
  CHECK_THROWS_AS(ensure(Do<int>::now(1), throws).blockingAwait(), ReleaseCancelled);
  CHECK_THROWS_AS(ensure(Do<int>::now(1), stops).blockingAwait(), ReleaseCancelled);
  const auto both = ensure(throws, Do<void>::delay([] { throw std::runtime_error("no"); }));
  const auto handled = ensure(Do<int>::now(1), both).handleError([](const std::exception_ptr& error) {
    CHECK(test::errorText(error) == "[" + std::string(ReleaseCancelled().what()) + ", no]");
    return Do<int>::now(2);
  });
  CHECK(handled.blockingAwait() == 2);
}

TEST_CASE("a finalizer is masked, may be a program that cannot fail, and runs in each run") {
  int finalized = 0;
  Manual<void> finalizing;
  const StopSource source;
  Delivery<int> delivery;
  const UnitContinuation<void> finalizer =
      finalizing.program().flatMap([&finalized] { return delay([&finalized] { ++finalized; }); });
  const auto program = ensure(Do<int>::now(1), finalizer);
  program.onComplete(delivery.callback(), source.token());
  source.requestStop();
  finalizing.take()();
  CHECK(finalized == 1);
  Delivery<int> again;
  program.onComplete(again.callback());
  finalizing.take()();
  CHECK(again.outcome().get() == 1);
  CHECK(finalized == 2);
}
