#include <tapestry/deeplearning/data/batches.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <stdexcept>

#include "support/error_text.hpp"

namespace {

using tapestry::Batches;
using tapestry::BatchOptions;
using Items = std::vector<int>;

struct Numbers {
  std::size_t size() const { return count; }
  int get(std::size_t index) const { return 10 * static_cast<int>(index); }
  std::size_t count;
};

/// Its size throws where it is told to.
struct Fleeting {
  std::size_t size() const { return *gone ? throw std::runtime_error("gone") : 3; }
  int get(std::size_t) const { return 0; }
  std::shared_ptr<bool> gone = std::make_shared<bool>(false);
};

std::vector<Items> batchesOf(std::size_t count, BatchOptions options, std::uint64_t epoch = 0) {
  const auto batches = Batches(Numbers{count}, options).epoch(epoch);
  std::vector<Items> all;
  for (std::size_t i = 0; i < batches.size(); ++i) all.push_back(batches.get(i));
  return all;
}

Items orderOf(std::size_t count, std::uint64_t seed, std::uint64_t epoch) {
  Items order;
  for (const auto& batch : batchesOf(count, {.size = 3, .seed = seed}, epoch))
    order.insert(order.end(), batch.begin(), batch.end());
  return order;
}

}  // namespace

TEST_CASE("an epoch has each item once, in batches of the size, of which the last may be smaller") {
  CHECK(batchesOf(7, {.size = 3, .shuffle = false}) == std::vector<Items>{{0, 10, 20}, {30, 40, 50}, {60}});
  CHECK(batchesOf(7, {.size = 3, .shuffle = false, .dropLast = true}) ==
        std::vector<Items>{{0, 10, 20}, {30, 40, 50}});
  CHECK(batchesOf(6, {.size = 3, .shuffle = false, .dropLast = true}).size() == 2);
  CHECK(batchesOf(0, {.size = 3}).empty());
  CHECK(batchesOf(2, {.size = 3, .dropLast = true}).empty());
  CHECK(Batches(Numbers{7}, {.size = 3}).size() == 3);
  auto order = orderOf(100, 1, 0);
  CHECK(!std::ranges::is_sorted(order));
  std::ranges::sort(order);
  for (int i = 0; i < 100; ++i) CHECK(order[static_cast<std::size_t>(i)] == 10 * i);
}

TEST_CASE("the order follows from the seed and the number of the epoch") {
  CHECK(orderOf(50, 1, 0) == orderOf(50, 1, 0));
  CHECK(orderOf(50, 1, 0) != orderOf(50, 1, 1));
  CHECK(orderOf(50, 1, 0) != orderOf(50, 2, 0));
  CHECK(orderOf(50, 1, 2) != orderOf(50, 2, 1));
  CHECK(orderOf(50, std::uint64_t{1} << 32, 0) != orderOf(50, 1, 0));
}

// The numbers come from an implementation of the standard's text in Python.
TEST_CASE("the order is the same on every machine") {
  CHECK(orderOf(8, 42, 3) == Items{60, 0, 40, 50, 30, 70, 20, 10});
  CHECK(orderOf(20, (std::uint64_t{5} << 32) + 1, std::uint64_t{7} << 32) ==
        Items{160, 30, 20, 70, 140, 170, 120, 150, 0, 100, 10, 80, 90, 190, 180, 130, 110, 40, 50, 60});
}

TEST_CASE("all orders are equally probable") {
  std::map<Items, int> counts;
  for (std::uint64_t epoch = 0; epoch < 6000; ++epoch) ++counts[orderOf(3, 7, epoch)];
  REQUIRE(counts.size() == 6);
  for (const auto& [order, count] : counts) CHECK(std::abs(count - 1000) < 150);  // 5 standard deviations
}

TEST_CASE("batches of no items are refused") {
  CHECK(tapestry::test::errorOf([] { Batches(Numbers{7}, {.size = 0}); }) ==
        "tapestry::Batches: a batch of no items, got size 0, expected at least 1");
}

TEST_CASE("an exception of a dataset comes out where the batch is made") {
  struct Broken {
    std::size_t size() const { return 4; }
    int get(std::size_t index) const { return index == 3 ? throw std::runtime_error("item 3 is broken") : 0; }
  };
  const auto epoch = Batches(Broken(), {.size = 2, .shuffle = false}).epoch(0);
  CHECK(epoch.get(0).size() == 2);
  CHECK_THROWS_WITH(epoch.get(1), "item 3 is broken");
}

TEST_CASE("a slice of a batch makes its own items alone") {
  struct Counting {
    std::shared_ptr<int> made = std::make_shared<int>(0);
    std::size_t size() const { return 10; }
    std::size_t get(std::size_t index) const { return ++*made, index; }
  };
  const Counting items;
  const Batches batches(items, {.size = 4, .seed = 3});
  const auto epoch = batches.epoch(1);
  const auto slice = epoch.slice(1, 1, 3);
  CHECK(*items.made == 2);
  const auto whole = epoch.get(1);
  CHECK(slice == decltype(slice){whole[1], whole[2]});
  CHECK(epoch.items(1) == 4);
  CHECK(epoch.items(2) == 2);
}

TEST_CASE("batches of another size have the same items in the same order") {
  struct Numbers {
    std::size_t size() const { return 10; }
    std::size_t get(std::size_t index) const { return index; }
  };
  const Batches small(Numbers{}, {.size = 2, .seed = 5});
  const auto large = small.withSize(4);
  CHECK(large.options().size == 4);
  CHECK(large.options().seed == 5);
  auto joined = small.epoch(7).get(0);
  for (const auto item : small.epoch(7).get(1)) joined.push_back(item);
  CHECK(large.epoch(7).get(0) == joined);
  CHECK_THROWS_AS(small.withSize(0), std::invalid_argument);
}

TEST_CASE("an exception of the dataset's size reaches the caller of size") {
  const Fleeting dataset;
  const Batches batches(dataset, {.size = 2});
  const auto epoch = batches.epoch(0);
  CHECK(batches.size() == 2);
  CHECK(epoch.size() == 2);
  *dataset.gone = true;
  CHECK_THROWS_WITH_AS(static_cast<void>(batches.size()), "gone", std::runtime_error);
  CHECK_THROWS_WITH_AS(static_cast<void>(epoch.size()), "gone", std::runtime_error);
}
