// mask, local and ensure, nested a million deep, on a small native stack.
#include <doctest/doctest.h>

#include "support/programs/runs.hpp"
#include "support/threads/small_stack.hpp"
#include "tapestry/continuation.hpp"
#include "tapestry/continuation/stop.hpp"

using namespace tapestry;
using test::Delivery;
using test::depth;
using test::isError;
using test::Manual;

namespace {

struct Level {
  using Type = int;
  static int initial() { return 0; }
};

template <class F>
UnitContinuation<int> wrapped(UnitContinuation<int> program, F wrap) {
  for (int i = 0; i < depth; ++i) program = wrap(std::move(program));
  return program;
}

UnitContinuation<int> ensuredRecursion(int i, UnitContinuation<void> finalizer, UnitContinuation<int> end) {
  return suspend([=]() -> UnitContinuation<int> {
    if (i == 0) return end;
    return ensure(ensuredRecursion(i - 1, finalizer, end), finalizer);
  });
}

}  // namespace

TEST_CASE("masks nest a million deep") {
  CHECK(wrapped(now(1), [](auto program) { return mask(std::move(program)); }).blockingAwait() == 1);
}

TEST_CASE("locals nest a million deep") {
  const auto wrap = [](auto program) { return local<Level>(7, std::move(program)); };
  CHECK(wrapped(ask<Level>(), wrap).blockingAwait() == 7);
}

TEST_CASE("locals nest a million deep around a local of another slot") {
  struct Other : Level {};
  const auto wrap = [](auto program) { return local<Other>(7, std::move(program)); };
  CHECK(local<Level>(3, wrapped(ask<Level>(), wrap)).blockingAwait() == 3);
}

TEST_CASE("finalizers of a million nested ensures all run after a value") {
  int finalizers = 0;
  const UnitContinuation<void> finalizer = delay([&] { ++finalizers; });
  const auto wrap = [&](auto program) { return ensure(std::move(program), finalizer); };
  CHECK(wrapped(now(1), wrap).blockingAwait() == 1);
  CHECK(finalizers == depth);
}

TEST_CASE("finalizers of a recursion a million deep all run when it is cancelled within the run") {
  int finalizers = 0;
  const StopSource source;
  const UnitContinuation<int> end = delay([&] { source.requestStop(); }).flatMap([] { return now(1); });
  Delivery<int> delivery;
  ensuredRecursion(depth, delay([&] { ++finalizers; }), end).onComplete(delivery.callback(), source.token());
  REQUIRE(delivery.count() == 1);
  CHECK(delivery.outcome().isCancelled());
  CHECK(finalizers == depth);
}

TEST_CASE("a million finalizers that fail yield a million errors") {
  const UnitContinuation<void> failing = async<void>([](Callback<void>) {});
  const auto wrap = [&](auto program) { return ensure(std::move(program), failing); };
  Delivery<int> delivery;
  wrapped(async<int>([](Callback<int>) {}), wrap).onComplete(delivery.callback());
  REQUIRE(isError<MultipleException>(delivery.outcome().error()));
  try {
    std::rethrow_exception(delivery.outcome().error());
  } catch (const MultipleException& several) {
    CHECK(several.errors().size() == depth + 1);
  }
}

TEST_CASE("a chain a million deep is cancelled while it waits") {
  Manual<int> manual;
  Delivery<int> delivery;
  const StopSource source;
  int steps = 0;
  UnitContinuation<int> program = manual.program();
  for (int i = 0; i < depth; ++i)
    program = std::move(program).flatMap([&](int x) { return ++steps, now(x); });
  program.onComplete(delivery.callback(), source.token());
  source.requestStop();
  manual.take()(1);
  CHECK(delivery.outcome().isCancelled());
  CHECK(steps == 0);
}
