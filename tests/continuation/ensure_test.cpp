#include "tapestry/continuation/ensure.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

#include "support/programs/runs.hpp"
#include "tapestry/continuation/async.hpp"
#include "tapestry/continuation/stop.hpp"

using namespace tapestry;
using test::Counted;
using test::Delivery;
using test::isError;
using test::Large;
using test::Manual;
using test::MoveOnly;

namespace {

/// Stops the run with an error.
auto broken() {
  return async<int>([](Callback<int>) {});
}

UnitContinuation<void> note(std::string& log, std::string text) {
  return delay([&log, text] { log += text; });
}

}  // namespace

TEST_CASE("ensure runs its finalizer after a value and yields the value") {
  std::string log;
  const auto program =
      ensure(delay([&] { return log += "a", 7; }), note(log, "b")).map([&](int x) { return log += "c", x; });
  CHECK(log.empty());
  CHECK(program.blockingAwait() == 7);
  CHECK(log == "abc");
}

TEST_CASE("ensure runs its finalizer after an error and delivers the error") {
  std::string log;
  CHECK_THROWS_AS(ensure(broken(), note(log, "b")).blockingAwait(), BrokenCallback);
  CHECK(log == "b");
}

TEST_CASE("ensure runs its finalizer after a cancellation") {
  std::string log;
  const StopSource source;
  source.requestStop();
  const auto program = ensure(now().flatMap([&] { return note(log, "a"); }), note(log, "b"));
  CHECK_THROWS_AS(program.blockingAwait(source.token()), Cancelled);
  CHECK(log == "b");
}

TEST_CASE("nested finalizers run from the inside to the outside") {
  std::string log;
  CHECK_THROWS(
      ensure(ensure(ensure(broken(), note(log, "1")), note(log, "2")), note(log, "3")).blockingAwait());
  CHECK(log == "123");
}

TEST_CASE("a finalizer is masked") {
  std::string log;
  const StopSource source;
  const auto finalizer = delay([&] { source.requestStop(); }).flatMap([&] { return note(log, "b"); });
  const auto program =
      ensure(now(1), UnitContinuation<void>(finalizer)).flatMap([&](int) { return note(log, "c"); });
  CHECK_THROWS_AS(program.blockingAwait(source.token()), Cancelled);
  CHECK(log == "b");
}

TEST_CASE("a finalizer that waits holds the value back") {
  Manual<void> manual;
  Delivery<MoveOnly> delivery;
  ensure(delay([] { return MoveOnly(5); }), manual.program()).onComplete(delivery.callback());
  CHECK(delivery.count() == 0);
  CHECK(Counted::live() == 1);
  manual.take()();
  CHECK(delivery.outcome().get().value() == 5);
}

TEST_CASE("a finalizer that waits holds the stop back") {
  Manual<void> manual;
  Delivery<int> delivery;
  ensure(broken(), manual.program()).onComplete(delivery.callback());
  CHECK(delivery.count() == 0);
  manual.take()();
  CHECK(isError<BrokenCallback>(delivery.outcome().error()));
}

TEST_CASE("a finalizer that is stopped after a value stops the run and the value is destroyed") {
  const UnitContinuation<void> finalizer = broken().map([](int) {});
  CHECK_THROWS_AS(ensure(delay([] { return Large(1); }), finalizer).blockingAwait(), BrokenCallback);
  CHECK(Counted::live() == 0);
}

TEST_CASE("errors of finalizers join those of the program in order") {
  const auto boom = std::make_exception_ptr(std::runtime_error("boom"));
  const UnitContinuation<Errors> failing = now(Errors(boom));
  Delivery<int> delivery;
  ensure(onStop(broken(), failing), broken().map([](int) {})).onComplete(delivery.callback());
  REQUIRE(isError<MultipleException>(delivery.outcome().error()));
  try {
    std::rethrow_exception(delivery.outcome().error());
  } catch (const MultipleException& several) {
    REQUIRE(several.errors().size() == 3);
    CHECK(isError<BrokenCallback>(several.errors()[0]));
    CHECK(several.errors()[1] == boom);
    CHECK(isError<BrokenCallback>(several.errors()[2]));
  }
}

TEST_CASE("onStop leaves a value alone") {
  std::string log;
  const UnitContinuation<Errors> finalizer = note(log, "b").map([] { return Errors(); });
  CHECK(onStop(now(7), finalizer).blockingAwait() == 7);
  CHECK(log.empty());
}

TEST_CASE("onStop runs its finalizer once when the program is stopped") {
  std::string log;
  const UnitContinuation<Errors> finalizer = note(log, "b").map([] { return Errors(); });
  CHECK_THROWS_AS(onStop(broken(), finalizer).blockingAwait(), BrokenCallback);
  CHECK(log == "b");
  const StopSource source;
  source.requestStop();
  const auto cancelled = onStop(now(1).flatMap([](int x) { return now(x); }), finalizer);
  CHECK_THROWS_AS(cancelled.blockingAwait(source.token()), Cancelled);
  CHECK(log == "bb");
}

TEST_CASE("a cancelled run whose finalizer fails ends with the finalizer's error") {
  const auto boom = std::make_exception_ptr(std::runtime_error("boom"));
  const StopSource source;
  source.requestStop();
  const auto program =
      onStop(now(1).flatMap([](int x) { return now(x); }), UnitContinuation<Errors>(now(Errors(boom))));
  CHECK_THROWS_AS(program.blockingAwait(source.token()), std::runtime_error);
}

TEST_CASE("each run has separate finalizers") {
  int finalizers = 0;
  const UnitContinuation<int> program = ensure(now(1), delay([&] { ++finalizers; }));
  program.blockingAwait();
  const auto copy = program;
  copy.blockingAwait();
  CHECK(finalizers == 2);
}
