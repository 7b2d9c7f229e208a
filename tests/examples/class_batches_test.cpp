#include "support/class_batches.hpp"

#include <doctest/doctest.h>

#include <set>

namespace tapestry::examples {
namespace {

/// 20 coarse classes of 10 images each; the first byte of an image is its number.
ClassImages numbered() {
  Cifar images;
  for (std::size_t i = 0; i < 200; ++i) {
    images.pixels.resize(images.pixels.size() + Cifar::imageSize);
    images.pixels[i * Cifar::imageSize] = static_cast<std::uint8_t>(i);
    images.labels.push_back(static_cast<std::uint8_t>(i % 100));
    images.coarseLabels.push_back(static_cast<std::uint8_t>(i % 20));
  }
  return numberFineClasses(images, {}, "test").training;
}

std::size_t numberOf(const ClassBatches::Batch& batch, std::size_t row) {
  return static_cast<std::size_t>((batch.images(static_cast<std::ptrdiff_t>(row), 0) + 1) * 127.5F + 0.5F);
}

TEST_CASE("Each batch is of one class, and no image comes twice") {
  const ClassImages images = numbered();
  const ClassBatches batches(images, 4, 1);
  REQUIRE(batches.size() == 40);
  std::set<std::size_t> seen;
  bool classesMix = false;
  for (std::size_t i = 0; i < batches.size(); ++i) {
    const auto batch = batches.get(i);
    CHECK(batch.images.shape() == Shape{4, 3072});
    for (std::size_t row = 0; row < 4; ++row) {
      const std::size_t number = numberOf(batch, row);
      CHECK(seen.insert(number).second);
      CHECK(batch.coarse == images.coarse(number));
      CHECK(batch.fine[row] == images.fine[number]);
    }
    classesMix |= i > 0 && batch.coarse != batches.get(i - 1).coarse;
  }
  CHECK(classesMix);
}

TEST_CASE("The order follows from the seed") {
  const ClassImages images = numbered();
  const auto orderOf = [&](std::uint64_t seed) {
    std::vector<std::size_t> order;
    const ClassBatches batches(images, 5, seed);
    for (std::size_t i = 0; i < batches.size(); ++i) order.push_back(numberOf(batches.get(i), 0));
    return order;
  };
  CHECK(orderOf(1) == orderOf(1));
  CHECK(orderOf(1) != orderOf(2));
}

TEST_CASE("The function first returns the first batches, and at most all of them") {
  const ClassImages images = numbered();
  const ClassBatches batches(images, 5, 1);
  CHECK(batches.first(3).size() == 3);
  CHECK(batches.first(3).get(2).images == batches.get(2).images);
  CHECK(batches.first(1000).size() == 40);
}

}  // namespace
}  // namespace tapestry::examples
