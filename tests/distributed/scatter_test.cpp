#include "tapestry/distributed/scatter.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <vector>

#include "tapestry/distributed/local_communicator.hpp"

using namespace tapestry;

namespace scatter_test {

struct Numbers {
  std::size_t count;
  std::size_t size() const { return count; }
  std::size_t get(std::size_t index) const { return 100 + index; }
};

using Batch = std::vector<std::size_t>;

/// The shares of all ranks, one after the other, and their sizes.
struct Shares {
  Batch together;
  std::vector<std::size_t> sizes;
};

Shares sharesOf(const std::vector<ScatteredBatches<Numbers>>& ranks, std::uint64_t epoch, std::size_t index) {
  Shares shares;
  for (const auto& rank : ranks) {
    const Batch share = rank.epoch(epoch).get(index);
    shares.sizes.push_back(share.size());
    shares.together.insert(shares.together.end(), share.begin(), share.end());
  }
  return shares;
}

std::vector<ScatteredBatches<Numbers>> scattered(std::size_t ranks, std::size_t items,
                                                 const BatchOptions& options) {
  std::vector<ScatteredBatches<Numbers>> all;
  for (const auto& c : localCommunicators(ranks)) all.push_back(scatter(Batches(Numbers{items}, options), c));
  return all;
}

}  // namespace scatter_test

using namespace scatter_test;

TEST_CASE("n ranks with batches of b items see together what one rank with batches of n * b items sees") {
  for (const std::size_t ranks : {1, 2, 3, 4}) {
    for (const std::size_t items : {0, 1, 7, 24, 61}) {
      for (const bool dropLast : {false, true}) {
        BatchOptions options{.size = 4, .seed = 9, .shuffle = true, .dropLast = dropLast};
        const auto all = scattered(ranks, items, options);
        options.size = 4 * ranks;
        const Batches<Numbers> whole(Numbers{items}, options);
        for (std::uint64_t epoch = 0; epoch < 3; ++epoch) {
          REQUIRE(all.back().size() == whole.size());
          REQUIRE(all.back().epoch(epoch).size() == whole.size());
          for (std::size_t i = 0; i < whole.size(); ++i) {
            CHECK(sharesOf(all, epoch, i).together == whole.epoch(epoch).get(i));
            CHECK(all.front().epoch(epoch).items(i) == whole.epoch(epoch).get(i).size());
          }
        }
      }
    }
  }
}

TEST_CASE("full batches give each rank as many items, and the last batch is shared evenly") {
  const auto all = scattered(3, 23, {.size = 3, .seed = 0, .shuffle = false});
  CHECK(all[0].size() == 3);
  CHECK(sharesOf(all, 0, 0).sizes == std::vector<std::size_t>{3, 3, 3});
  CHECK(sharesOf(all, 0, 1).sizes == std::vector<std::size_t>{3, 3, 3});
  CHECK(sharesOf(all, 0, 2).sizes == std::vector<std::size_t>{1, 2, 2});
  CHECK(all[1].epoch(0).get(1) == Batch{112, 113, 114});
}

TEST_CASE("the last batch may give nothing to some ranks") {
  const auto all = scattered(4, 1, {.size = 2});
  CHECK(sharesOf(all, 0, 0).sizes == std::vector<std::size_t>{0, 0, 0, 1});
}

TEST_CASE("each rank makes its own items alone") {
  struct Counting {
    std::shared_ptr<int> made = std::make_shared<int>(0);
    std::size_t size() const { return 8; }
    std::size_t get(std::size_t index) const { return ++*made, index; }
  };
  const Counting items;
  const auto share = scatter(Batches(items, {.size = 2}), localCommunicators(4)[2]);
  static_cast<void>(share.epoch(0).get(0));
  CHECK(*items.made == 2);
}

TEST_CASE("an exception from the dataset's size leaves the shares") {
  struct Missing {
    std::size_t size() const { throw std::runtime_error("no file"); }
    std::size_t get(std::size_t index) const { return index; }
  };
  const auto shares = scatter(Batches(Missing(), {.size = 2}), localCommunicators(2)[0]);
  CHECK_THROWS_WITH(static_cast<void>(shares.size()), "no file");
  static_assert(!noexcept(shares.size()) && !noexcept(shares.epoch(0).size()));
}
