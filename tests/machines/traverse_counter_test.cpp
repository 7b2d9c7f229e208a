// TraverseCounter, in all interleavings.
#include "tapestry/continuation/parallel/detail/traverse.hpp"

#include <doctest/doctest.h>

#include <memory>

#include "support/threads/model_atomics.hpp"

using namespace tapestry;
using namespace tapestry::test;

namespace {

/// Threads that take the token, pull a branch, pass the token on and run the branch, as Traverse does.
struct Traversing final : Model {
  Traversing(int n, int l) : workers(n), limit(l) { counter.begin(limit); }

  std::vector<std::function<void()>> threads() override {
    return std::vector<std::function<void()>>(static_cast<std::size_t>(workers), [this] {
      for (;;) {
        waitUntil([this] { return offered || resumed > 0; });
        if (!offered) return;
        offered = false;
        execute();
      }
    });
  }
  void execute() {
    verify(resumed == 0, "the token is used after the parent has gone on");
    if (pulled == branches) return countEnd();
    ++pulled;
    if (counter.beginOne()) passOn();
    verify(++inFlight <= limit, "more branches than the limit are in flight");
    interleavingPoint();
    --inFlight;
    ++ended;
    if (counter.leavePlace()) passOn();
    countEnd();
  }
  void passOn() { verify(!std::exchange(offered, true), "the token is in two places"); }
  void countEnd() {
    if (!counter.end()) return;
    verify(resumed++ == 0, "the parent continued twice");
    verify(ended == branches, "the parent continued before all branches had ended");
  }
  void check() override { verify(resumed == 1 && !offered, "the parent did not continue as the last"); }

  static constexpr int branches = 3;
  const int workers;
  const int limit;
  detail::TraverseCounter<ModelAtomics> counter;
  bool offered = true;
  int pulled = 0;
  int inFlight = 0;
  int ended = 0;
  int resumed = 0;
};

}  // namespace

TEST_CASE("the token is in one place, the limit holds, and the parent continues once, after all branches") {
  for (const int limit : {1, 2}) {
    CAPTURE(limit);
    CHECK(interleaveAll([&] { return std::make_unique<Traversing>(2, limit); }, 2) > 100);
  }
  interleaveRandomly([] { return std::make_unique<Traversing>(3, 2); }, 0, 100);
}
