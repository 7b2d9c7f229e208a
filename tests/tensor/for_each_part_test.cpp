#include <tapestry/tensor/for_each_part.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "support/networks/thread_helpers.hpp"

using namespace tapestry;
using tapestry::test::ThreadHelpers;

namespace {

/// Counts the calls of share, and calls each part on this thread, the last one first.
class BackwardsHelpers final : public Helpers {
 public:
  void share(std::size_t count, Part part, const void* work) noexcept override {
    ++calls;
    while (count > 0) part(work, --count);
  }
  int calls = 0;
};

std::vector<std::size_t> orderOf(std::size_t count) {
  std::vector<std::size_t> order;
  order.reserve(count);
  forEachPart(count, [&](std::size_t i) noexcept { order.push_back(i); });
  return order;
}

}  // namespace

TEST_CASE("without helpers the caller calls each part in order") {
  CHECK_FALSE(hasHelpers());
  CHECK(orderOf(3) == std::vector<std::size_t>{0, 1, 2});
  CHECK(orderOf(0).empty());
}

TEST_CASE("helpers share several parts, and a single part is the caller's own") {
  BackwardsHelpers helpers;
  const HelperScope scope(&helpers);
  CHECK(orderOf(3) == std::vector<std::size_t>{2, 1, 0});
  CHECK(helpers.calls == 1);
  CHECK(orderOf(1) == std::vector<std::size_t>{0});
  CHECK(helpers.calls == 1);
}

TEST_CASE("scopes nest, and are of one thread") {
  BackwardsHelpers helpers;
  {
    const HelperScope outer(&helpers);
    {
      const HelperScope inner(nullptr);
      CHECK_FALSE(hasHelpers());
    }
    CHECK(hasHelpers());
    std::jthread([] { CHECK_FALSE(hasHelpers()); }).join();
  }
  CHECK_FALSE(hasHelpers());
}

TEST_CASE("helpers on several threads call each part exactly once before the call returns") {
  ThreadHelpers helpers(2);
  const HelperScope scope(&helpers);
  std::vector<std::atomic<int>> calls(64);
  for (int round = 1; round <= 50; ++round) {
    forEachPart(calls.size(), [&](std::size_t i) noexcept { ++calls[i]; });
    CHECK(std::ranges::all_of(calls, [&](const auto& count) { return count == round; }));
  }
}
