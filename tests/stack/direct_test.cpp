// Blocks of direct style in great numbers: each has a stack of its own, and none of them uses the thread's.
#include "tapestry/continuation/direct/direct.hpp"
#include "support/threads/small_stack.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "support/programs/runs.hpp"
#include "tapestry/continuation/tail_rec_m.hpp"
#include "tapestry/raii/direct/direct.hpp"
#include "tapestry/raii/scoped.hpp"

using namespace tapestry;
using test::Delivery;
using test::Manual;

namespace {

UnitContinuation<int> suspendedBlocks(int levels, Manual<int>& leaf, int& unwound) {
  return direct<UnitContinuation>([levels, &leaf, &unwound] {
    const struct AtExit {
      int& unwound;
      ~AtExit() { ++unwound; }
    } atExit{unwound};
    return levels == 0 ? !leaf.program() : 1 + !suspendedBlocks(levels - 1, leaf, unwound);
  });
}

}  // namespace

TEST_CASE("a block of Do awaits 1000000 synchronous programs in a loop") {
  const auto program = direct<Do>([] {
    long sum = 0;
    for (int i = 0; i < test::depth; ++i) sum += !Do<int>::now(1);
    return sum;
  });
  CHECK(program.blockingAwait() == test::depth);
}

TEST_CASE("a block holds 100000 resources and releases them") {
  long open = 0;
  const auto one = resource(Do<int>::delay([&] {
                              ++open;
                              return 1;
                            }),
                            [&](int) { --open; });
  const auto program = direct<Do>([&] {
    for (int i = 0; i < 100'000; ++i) !one;
    return open;
  });
  CHECK(program.blockingAwait() == 100'000);
  CHECK(open == 0);
}

TEST_CASE("1000000 blocks are run one after the other") {
  const auto one = direct<UnitContinuation>([] { return 1; });
  const auto program = tailRecM(0, [&](int sum) {
    return one.map([sum](int x) {
      return sum < test::depth ? Step<int, int>::next(sum + x) : Step<int, int>::done(sum);
    });
  });
  CHECK(program.blockingAwait() == test::depth);
}

TEST_CASE("20000 nested blocks are suspended at once and completed") {
  Manual<int> leaf;
  Delivery<int> delivery;
  int unwound = 0;
  suspendedBlocks(test::promisedFibers, leaf, unwound).onComplete(delivery.callback());
  REQUIRE(leaf.waiting() == 1);
  CHECK(unwound == 0);
  leaf.take()(5);
  CHECK(delivery.outcome().get() == test::promisedFibers + 5);
  CHECK(unwound == test::promisedFibers + 1);
}

TEST_CASE("20000 nested blocks are suspended at once and cancelled") {
  Manual<int> leaf;
  Delivery<int> delivery;
  const StopSource source;
  int unwound = 0;
  suspendedBlocks(test::promisedFibers, leaf, unwound).onComplete(delivery.callback(), source.token());
  REQUIRE(leaf.waiting() == 1);
  CHECK(unwound == 0);
  source.requestStop();
  CHECK(delivery.outcome().isCancelled());
  CHECK(unwound == test::promisedFibers + 1);
}

TEST_CASE("20000 blocks side by side are suspended at once and completed") {
  std::vector<Callback<int>> callbacks;
  const auto leaf = async<int>([&](Callback<int> callback) { callbacks.push_back(std::move(callback)); });
  const auto program = direct<UnitContinuation>([&] { return !leaf; });
  int sum = 0;
  for (int i = 0; i < test::promisedFibers; ++i)
    program.onComplete([&](const Outcome<int>& outcome) { sum += outcome.get(); });
  REQUIRE(callbacks.size() == test::promisedFibers);
  for (const auto& callback : callbacks) callback(1);
  CHECK(sum == test::promisedFibers);
}
