#include "tapestry/continuation/delay.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <thread>

#include "support/programs/counted.hpp"
#include "tapestry/continuation/unit_continuation.hpp"

using namespace tapestry;
using test::Counted;
using test::MoveOnly;

TEST_CASE("delay calls its function once in each run and never before") {
  int calls = 0;
  {
    const auto program = delay([&] { return ++calls; });
    const UnitContinuation<int> erased = program;
    auto copy = erased;
    const auto moved = std::move(copy);
    CHECK(calls == 0);
    CHECK(program.blockingAwait() == 1);
    CHECK(erased.blockingAwait() == 2);
    CHECK(moved.blockingAwait() == 3);
  }
  CHECK(calls == 3);
}

TEST_CASE("delay calls its function on the thread of the run") {
  const auto program = delay([] { return std::this_thread::get_id(); });
  CHECK(program.blockingAwait() == std::this_thread::get_id());
}

TEST_CASE("delay yields void when its function returns nothing") {
  bool called = false;
  delay([&] { called = true; }).blockingAwait();
  CHECK(called);
}

TEST_CASE("delay makes a value that cannot be copied afresh in every run") {
  {
    const UnitContinuation<MoveOnly> program = delay([] { return MoveOnly(4); });
    CHECK(program.blockingAwait().value() == 4);
    CHECK(program.map([](MoveOnly value) { return value; }).blockingAwait().value() == 4);
  }
  CHECK(Counted::live() == 0);
}

TEST_CASE("delay may capture what cannot be copied and its erased program is copied all the same") {
  auto pointer = std::make_unique<int>(9);
  const UnitContinuation<int> program = delay([pointer = std::move(pointer)] { return *pointer; });
  const auto copy = program;
  CHECK(program.blockingAwait() == 9);
  CHECK(copy.blockingAwait() == 9);
}
