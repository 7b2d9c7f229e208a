// OpenOnce, in all interleavings.
#include "tapestry/continuation/detail/wait_queue.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <memory>
#include <vector>

#include "support/threads/model_atomics.hpp"

using namespace tapestry;
using namespace tapestry::test;
using detail::Entry;
using detail::Phase;

namespace {

using Once = detail::BasicOpenOnce<ModelAtomics, ModelRun>;
using Place = detail::BasicOpenWaiter<detail::BasicWaiter<ModelAtomics, ModelRun>, Once>;

/// Runs that come to one state. The first opener ends in the phase `first`, later openers succeed; run 0 is
/// asked to stop if `stops`.
struct Opening final : Model {
  Opening(int n, Phase result, bool isStopped) : runs(n), first(result), stops(isStopped) {}

  std::vector<std::function<void()>> threads() override {
    std::vector<std::function<void()>> all;
    for (int i = 0; i < runs; ++i) all.push_back([this, i] { visit(i); });
    if (stops) all.push_back([this] { request(stop); });
    return all;
  }

  void check() override {
    const int stopped = runs - admitted - failed;
    verify(stopped <= (stops ? 1 : 0), "a run that was not asked to stop has not come through");
    verify(openings >= 1 || stopped == runs, "no run has opened");
    verify(openings <= (first == Phase::fresh ? 2 : 1), "a run has opened what was open or had failed");
    verify(once.phase != Phase::opening, "the state is left opening");
  }

  void visit(int i) {
    ModelRun run(i == 0 ? stop : never);
    for (;;) {
      switch (once.enter([this] { ++admitted; })) {
        case Entry::ready:
          if (once.phase == Phase::failed) ++failed;
          return;
        case Entry::opener:
          return open(i);
        case Entry::waiting:
          break;
      }
      const auto place = detail::makeRef<Place>(once);
      run.park(place->wait(run));
      if (place->leave()) return verify(i == 0 && stops, "a run was cancelled that nobody asked to stop");
    }
  }

  void open(int i) {
    verify(atWork++ == 0, "two runs open at a time");
    interleavingPoint();
    --atWork;
    const Phase result = openings++ == 0 ? first : Phase::open;
    once.end(result, [&] {
      if (result == Phase::open) ++admitted;
    });
    if (result == Phase::failed) ++failed;
    if (result == Phase::fresh) visit(i);
  }

  const int runs;
  const Phase first;
  const bool stops;
  detail::StopList<ModelAtomics> stop;
  detail::StopList<ModelAtomics> never;
  Once once;
  int openings = 0;
  int atWork = 0;
  int admitted = 0;  ///< guarded by the lock of `once`
  int failed = 0;
};

}  // namespace

TEST_CASE("one run opens at a time, and no other run is lost, whenever it comes") {
  CHECK(interleaveAll([] { return std::make_unique<Opening>(2, Phase::open, false); }, 3) > 50);
  CHECK(interleaveAll([] { return std::make_unique<Opening>(3, Phase::open, false); }, 2) > 100);
  interleaveRandomly([] { return std::make_unique<Opening>(4, Phase::open, false); }, 0, 300);
}

TEST_CASE(
    "a run that waits opens after an opener that has given up, and no run after an opener that has failed") {
  CHECK(interleaveAll([] { return std::make_unique<Opening>(2, Phase::fresh, false); }, 3) > 50);
  CHECK(interleaveAll([] { return std::make_unique<Opening>(3, Phase::fresh, false); }, 1) > 100);
  CHECK(interleaveAll([] { return std::make_unique<Opening>(3, Phase::failed, false); }, 1) > 50);
}

TEST_CASE("a request to stop ends the wait of its run alone") {
  CHECK(interleaveAll([] { return std::make_unique<Opening>(2, Phase::open, true); }, 2) > 100);
  CHECK(interleaveAll([] { return std::make_unique<Opening>(2, Phase::fresh, true); }, 2) > 100);
  interleaveRandomly([] { return std::make_unique<Opening>(3, Phase::fresh, true); }, 0, 300);
}
