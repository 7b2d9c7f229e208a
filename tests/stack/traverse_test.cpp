#include <doctest/doctest.h>

#include <ranges>

#include "support/threads/small_stack.hpp"
#include "tapestry/continuation.hpp"
#include "tapestry/continuation/parallel/par_for_each.hpp"
#include "tapestry/continuation/parallel/par_traverse.hpp"
#include "tapestry/continuation/parallel/race.hpp"
#include "tapestry/continuation/repeat.hpp"

using namespace tapestry;
using test::depth;

namespace {}  // namespace

TEST_CASE("a traversal of a million elements that do not suspend") {
  for (const std::size_t limit : {1, 3, depth}) {
    const auto values = parTraverse(std::views::iota(0, depth), limit, [](int i) { return now(i); });
    CHECK(values.blockingAwait().back() == depth - 1);
  }
}

TEST_CASE("a traversal without values of a million elements that do not suspend") {
  int runs = 0;
  for (const std::size_t limit : {1, 3, depth})
    parForEach(std::views::iota(0, depth), limit, [&](int) {
      return delay([&] { ++runs; });
    }).blockingAwait();
  CHECK(runs == 3 * depth);
}

TEST_CASE("races nest a million deep") {
  UnitContinuation<int> program = now(1);
  for (int i = 0; i < depth; ++i)
    program = race(std::move(program), async<int>([](const Callback<int>&) {})).map([](const auto& first) {
      return std::get<0>(first);
    });
  CHECK(program.blockingAwait() == 1);
}

TEST_CASE("a race of a million") {
  std::vector<UnitContinuation<int>> programs(depth, UnitContinuation<int>(now(2)));
  CHECK(raceAll(std::move(programs)).blockingAwait() == 2);
}

TEST_CASE("a million repetitions") {
  int runs = 0;
  repeat(delay([&] { ++runs; }), depth).blockingAwait();
  CHECK(runs == depth);
}
