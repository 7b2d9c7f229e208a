// ByThread, in all interleavings.
#include "engine/by_thread.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "support/threads/model_atomics.hpp"

using namespace tapestry;
using namespace tapestry::test;

namespace {

using Items = detail::ByThread<std::size_t, ModelAtomics::Atomic>;

/// Two threads take five items, some of which belong to no thread that takes.
struct Taking final : Model {
  explicit Taking(const std::array<int, 5>& threadOfItem) : owners(threadOfItem) {
    for (std::size_t i = 0; i < owners.size(); ++i) items.add(i, &threadNames[owners[i]]);
  }

  std::vector<std::function<void()>> threads() override {
    return {[this] { take(0, 3); }, [this] { take(1, 2); }};
  }
  void take(int thread, int times) {
    while (times-- > 0) {
      const std::size_t item = items.take(&threadNames[thread]);
      verify(taken[item]++ == 0, "an item was taken twice");
      verify(owners[item] == thread || left(thread) == 0,
             "a thread took an item of another thread although an item of its own was left");
      interleavingPoint();
    }
  }
  int left(int thread) const {
    int count = 0;
    for (std::size_t i = 0; i < owners.size(); ++i) count += owners[i] == thread && taken[i] == 0;
    return count;
  }
  void check() override {
    for (const int times : taken) verify(times == 1, "an item was not taken");
  }

  static constexpr std::array<char, 3> threadNames{};
  const std::array<int, 5> owners;
  std::array<int, 5> taken{};
  Items items;
};

}  // namespace

TEST_CASE("each item is taken once, whatever threads the items belong to") {
  for (const std::array<int, 5>& owners :
       {std::array{0, 1, 0, 1, 0}, std::array{0, 0, 0, 0, 0}, std::array{2, 2, 1, 2, 2}}) {
    CHECK(interleaveAll([&] { return std::make_unique<Taking>(owners); }, 3) > 10);
    interleaveRandomly([&] { return std::make_unique<Taking>(owners); }, 0, 100);
  }
}

TEST_CASE("a thread takes its own items first, in their order, and then those of other threads") {
  constexpr std::array<char, 2> threads{};
  detail::ByThread<int> items;
  for (const int i : {10, 11, 12}) items.add(i, &threads[0]);
  for (const int i : {20, 21}) items.add(i, &threads[1]);
  CHECK(items.size() == 5);
  CHECK(items.take(&threads[1]) == 20);
  CHECK(items.take(&threads[0]) == 10);
  CHECK(items.take(&threads[1]) == 21);
  CHECK(items.take(&threads[1]) == 11);
  CHECK(items.take(&threads[0]) == 12);
}
