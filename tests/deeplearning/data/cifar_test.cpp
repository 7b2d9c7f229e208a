#include <tapestry/deeplearning/data/cifar.hpp>

#include <doctest/doctest.h>

#include "support/system/input_bytes.hpp"

namespace {

using namespace tapestry::test;
using tapestry::readCifar10;
using tapestry::readCifar100;

/// The labels, and an image whose bytes are all different from those of its neighbours.
Bytes record(Bytes labels, std::uint8_t seed) {
  for (std::size_t i = 0; i < 3072; ++i) labels.push_back(static_cast<std::uint8_t>(seed + i));
  return labels;
}

template <class Read>
std::string problem(const Read& read, const Bytes& content) {
  const TemporaryDirectory directory;
  return directory.errorOf([&] { (void)read(written(directory, "file", content), {}); });
}

}  // namespace

TEST_CASE("a file of CIFAR-10 has a label and then an image, again and again") {
  const TemporaryDirectory directory;
  const auto content = record({7}, 1) + record({0}, 100) + record({9}, 200);
  for (const auto& stored : {content, gzipped(content)}) {
    const auto cifar = readCifar10(written(directory, "file", stored));
    REQUIRE(cifar.size() == 3);
    CHECK(cifar.labels == Bytes{7, 0, 9});
    CHECK(cifar.coarseLabels.empty());
    CHECK(cifar.image(1)[0] == 100);
    CHECK(cifar.image(2)[3071] == static_cast<std::uint8_t>(200 + 3071));
    CHECK(cifar.pixels.size() == 3 * 3072);
  }
}

TEST_CASE("a file of CIFAR-100 has a coarse label before the fine one") {
  const TemporaryDirectory directory;
  const auto cifar = readCifar100(written(directory, "file", record({19, 99}, 1) + record({0, 50}, 2)));
  REQUIRE(cifar.size() == 2);
  CHECK(cifar.labels == Bytes{99, 50});
  CHECK(cifar.coarseLabels == Bytes{19, 0});
  CHECK(cifar.image(1)[0] == 2);
}

TEST_CASE("several files of CIFAR are read one after the other into one") {
  const TemporaryDirectory directory;
  const auto first = written(directory, "first", record({1}, 1));
  const auto second = written(directory, "second", record({2}, 2) + record({3}, 3));
  const auto cifar = readCifar10(second, readCifar10(first));
  CHECK(cifar.labels == Bytes{1, 2, 3});
  CHECK(cifar.image(2)[0] == 3);
  CHECK(readCifar10(written(directory, "none", {})).size() == 0);
}

TEST_CASE("a file of CIFAR that ends inside an image, or has an impossible label, is refused") {
  CHECK(problem(readCifar10, first(6000, record({1}, 1) + record({2}, 2))) ==
        "tapestry::readCifar10: file: truncated, got 6000 bytes, expected at least 6146");
  CHECK(problem(readCifar10, record({1}, 1) + record({10}, 2)) ==
        "tapestry::readCifar10: file: the label of image 1 is out of range, got 10, expected 0 to 9");
  CHECK(
      problem(readCifar100, record({20, 1}, 1)) ==
      "tapestry::readCifar100: file: the coarse label of image 0 is out of range, got 20, expected 0 to 19");
  CHECK(problem(readCifar100, record({1, 100}, 1)) ==
        "tapestry::readCifar100: file: the fine label of image 0 is out of range, got 100, expected 0 to 99");
  CHECK(problem(readCifar10, record({1, 2}, 1)) ==
        "tapestry::readCifar10: file: truncated, got 3074 bytes, expected at least 6146");
  const TemporaryDirectory directory;
  CHECK(directory.errorOf([&] { (void)readCifar10(directory / "file"); }) ==
        "tapestry::readCifar10: file: no such file, expected a readable file");
}
