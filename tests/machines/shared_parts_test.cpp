// SharedParts, in all interleavings.
#include "engine/shared_parts.hpp"

#include <doctest/doctest.h>

#include <array>
#include <memory>

#include "support/threads/model_atomics.hpp"

using namespace tapestry;
using namespace tapestry::test;

namespace {

using Parts = detail::SharedParts<ModelAtomics::Atomic>;

/// A caller that claims from the front and helpers that claim from the back, as a kernel and its helpers do.
struct Sharing final : Model {
  explicit Sharing(int n) : helpers(n) {}

  std::vector<std::function<void()>> threads() override {
    std::vector<std::function<void()>> all{[this] { call(); }};
    for (int i = 0; i < helpers; ++i) all.push_back([this] { work(Parts::End::last); });
    return all;
  }
  void call() {
    work(Parts::End::first);
    if (!parts.allEnded()) {
      // a condition must be no step
      waitUntil([this] { return ended == count; });
      verify(parts.allEnded(), "the caller waits though all parts have ended");
    }
    for (const int times : computed) verify(times == 1, "the caller continued before each part was computed");
    returned = true;
  }
  void work(Parts::End end) {
    for (std::size_t i; parts.claim(end, i); ++ended) {
      verify(!returned, "a part is computed after the call");
      interleavingPoint();
      verify(computed[i]++ == 0, "a part was computed twice");
      parts.endOne();
    }
  }
  void check() override { verify(parts.unclaimed() == 0, "a part is left"); }

  static constexpr std::size_t count = 3;
  const int helpers;
  Parts parts{count};
  std::array<int, count> computed{};
  std::size_t ended = 0;
  bool returned = false;
};

}  // namespace

TEST_CASE("each part is computed once, and the caller continues after all parts") {
  CHECK(interleaveAll([] { return std::make_unique<Sharing>(1); }, 3) > 100);
  CHECK(interleaveAll([] { return std::make_unique<Sharing>(2); }, 2) > 100);
  interleaveRandomly([] { return std::make_unique<Sharing>(2); }, 0, 300);
}
