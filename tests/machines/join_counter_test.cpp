// JoinCounter, in all interleavings.
#include "tapestry/continuation/parallel/detail/gather.hpp"

#include <doctest/doctest.h>

#include <array>
#include <memory>

#include "support/threads/model_atomics.hpp"

using namespace tapestry;
using namespace tapestry::test;

namespace {

/// A parent and helpers that claim branches; the parent joins as Gather does.
struct Joining final : Model {
  explicit Joining(int n) : helpers(n) { counter.begin(branches); }

  std::vector<std::function<void()>> threads() override {
    std::vector<std::function<void()>> all{[this] { beParent(); }};
    for (int i = 0; i < helpers; ++i) all.push_back([this] { help(); });
    return all;
  }
  void beParent() {
    // the first is claimed before there is anybody else
    std::size_t own = 0;
    for (std::size_t index = counter.claimAlone(); index < branches; index = counter.claim()) {
      begin(index);
      ++own;
    }
    if (counter.othersEnded(own) || counter.end(own)) return join();
    waitUntil([this] { return resumed > 0; });
    join();
  }
  void help() {
    // tickets are given out when the first has been claimed
    waitUntil([this] { return begun[0] > 0; });
    for (std::size_t index = counter.claim(); index < branches; index = counter.claim()) {
      begin(index);
      if (counter.end(1)) ++resumed;
    }
  }
  void begin(std::size_t index) {
    ++begun[index];
    interleavingPoint();
    ++ended;
  }
  void join() {
    verify(joined++ == 0 && resumed <= 1, "the parent continued twice");
    verify(ended == branches, "the parent continued before all had ended");
  }
  void check() override {
    for (const int times : begun) verify(times == 1, "a branch was not begun once");
    verify(joined == 1, "the parent did not continue");
  }

  static constexpr std::size_t branches = 3;
  const int helpers;
  detail::JoinCounter<ModelAtomics> counter;
  std::array<int, branches> begun{};
  std::size_t ended = 0;
  int resumed = 0;
  int joined = 0;
};

}  // namespace

TEST_CASE("each branch is begun once and the parent continues once, after all branches") {
  CHECK(interleaveAll([] { return std::make_unique<Joining>(1); }, 3) > 100);
  CHECK(interleaveAll([] { return std::make_unique<Joining>(2); }, 2) > 100);
  interleaveRandomly([] { return std::make_unique<Joining>(2); }, 0, 300);
}
