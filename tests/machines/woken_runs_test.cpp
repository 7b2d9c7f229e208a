// BasicWokenRuns, in all interleavings.
#include "parallel/woken_runs.hpp"

#include <doctest/doctest.h>

#include <array>
#include <functional>
#include <memory>
#include <tuple>
#include <utility>

#include "support/threads/model_atomics.hpp"

using namespace tapestry;
using namespace tapestry::test;

namespace {

struct Woken;
using Runs = detail::BasicWokenRuns<ModelAtomics, Woken>;
using End = Runs::End;

struct Woken {
  Woken* nextWaiter = nullptr;
  Woken* previousWaiter = nullptr;
  int resumed = 0;
};

/// A thread that wakes runs and workers that resume them, with tickets as those of wakeAll.
struct Waking final : Model {
  Waking(int n, int idleOnes, bool posts) : workers(n), idle(idleOnes), runs(posts) {
    for (Woken& one : woken) runs.add(one);
  }

  std::vector<std::function<void()>> threads() override {
    std::vector<std::function<void()>> all(static_cast<std::size_t>(workers), [this] { beWorker(); });
    all.push_back([this] {
      share();
      useTicket(nullptr, End::first);
    });
    return all;
  }
  void beWorker() {
    for (;;) {
      waitUntil([this] { return offered > 0 || posted || ended == count; });
      if (posted) {
        useTicket(std::exchange(posted, nullptr), End::last);
      } else if (offered > 0) {
        --offered;
        useTicket(nullptr, End::last);
      } else {
        return;
      }
    }
  }
  void useTicket(Woken* claimed, End end) {
    for (bool hasMore = true; hasMore; claimed = nullptr) {
      if (claimed)
        hasMore = runs.arrived();
      else
        std::tie(claimed, hasMore) = runs.claim(end);
      if (hasMore) share();
      if (!claimed) continue;
      interleavingPoint();
      verify(claimed->resumed++ == 0, "a run was resumed twice");
      ++ended;
    }
  }
  void share() {
    useExecutor();
    if (idle > 0) {
      --idle;
      ++offered;
      return;
    }
    Woken* const claimed = runs.claimForPost();
    if (!claimed) return;
    useExecutor();
    verify(!std::exchange(posted, claimed), "two runs are posted");
  }
  void useExecutor() { verify(ended < count, "the executor is used after the runs have ended"); }
  void check() override {
    for (const Woken& one : woken) verify(one.resumed == 1, "a run was not resumed");
  }

  static constexpr int count = 3;
  const int workers;
  int idle;  ///< workers that take what they are offered
  std::array<Woken, count> woken;
  Runs runs;
  int offered = 0;
  Woken* posted = nullptr;
  int ended = 0;
};

}  // namespace

TEST_CASE("each woken run is resumed once, one is posted at a time, and none outlives the executor") {
  for (const bool posts : {false, true})
    for (const int idle : {0, 1, 2}) {
      CAPTURE(posts);
      CAPTURE(idle);
      CHECK(interleaveAll([&] { return std::make_unique<Waking>(1, idle, posts); }, 2) > 0);
      CHECK(interleaveAll([&] { return std::make_unique<Waking>(2, idle, posts); }, 1) > 0);
      interleaveRandomly([&] { return std::make_unique<Waking>(2, idle, posts); }, 0, 100);
    }
}

TEST_CASE("woken runs are claimed from either end until none is left") {
  std::array<Woken, 4> woken;
  Runs runs(false);
  for (Woken& one : woken) runs.add(one);
  CHECK(runs.claim(End::last) == std::pair(&woken[3], true));
  CHECK(runs.claim(End::first) == std::pair(&woken[0], true));
  CHECK(runs.claim(End::last) == std::pair(&woken[2], true));
  CHECK(runs.claim(End::first) == std::pair(&woken[1], false));
  CHECK(runs.claim(End::last).first == nullptr);
}
