#include "support/digits.hpp"

#include <doctest/doctest.h>

#include <array>
#include <numeric>

#include "input_files.hpp"

namespace tapestry::examples {
namespace {

using Counts = std::array<int, 10>;

Counts countsPerClass(const Digits& digits) {
  Counts counts{};
  for (const auto label : digits.labels) ++counts.at(label);
  return counts;
}

Bytes firstLabels(const Digits& digits) { return Bytes(digits.labels.begin(), digits.labels.begin() + 10); }

/// MNIST in small: three images to train on and two for the test.
struct SmallMnist : TemporaryDirectory {
  SmallMnist() {
    write("train-images-idx3-ubyte", images(3));
    write("train-labels-idx1-ubyte.gz", gzipped(labels({5, 0, 4})));
    write("t10k-images-idx3-ubyte.gz", gzipped(images(2)));
    write("t10k-labels-idx1-ubyte", labels({7, 2}));
  }
  std::string problem() const {
    return messageOf(*this, [&] { (void)loadMnist(path()); });
  }
};

TEST_CASE("The four files are read, each plain or gzipped") {
  const SmallMnist directory;
  const auto data = loadMnist(directory.path());
  CHECK(data.training.size() == 3);
  CHECK(data.test.size() == 2);
  CHECK(data.training.labels == Bytes{5, 0, 4});
  CHECK(data.training.image(2).data() == data.training.pixels.data() + 2 * 784);
  CHECK(data.training.image(2)[0] == images(3)[16 + 2 * 784]);
  CHECK(data.source == "MNIST in " + directory.path().string());
}

TEST_CASE("A plain file is found before a gzipped one") {
  const SmallMnist directory;
  directory.write("train-labels-idx1-ubyte", labels({1, 2, 3}));
  CHECK(loadMnist(directory.path()).training.labels == Bytes{1, 2, 3});
}

TEST_CASE("A missing directory and a missing file are named") {
  const SmallMnist directory;
  CHECK(messageOf(directory, [&] { (void)loadMnist(directory.path() / "nowhere"); }) ==
        "nowhere: no such directory, expected one that holds the four files of MNIST");
  std::filesystem::remove(directory.path() / "t10k-labels-idx1-ubyte");
  CHECK(directory.problem() ==
        "t10k-labels-idx1-ubyte: no such file, expected it here, plain or with .gz at its end");
}

TEST_CASE("Counts of images and labels that disagree are shown") {
  const SmallMnist directory;
  directory.write("t10k-labels-idx1-ubyte", labels({7, 2, 1}));
  CHECK(directory.problem() ==
        "t10k-labels-idx1-ubyte: counts disagree, got 3 labels, expected 2, one for each image of "
        "t10k-images-idx3-ubyte.gz");
}

TEST_CASE("A label above 9 is shown with its index") {
  const SmallMnist directory;
  directory.write("t10k-labels-idx1-ubyte", labels({7, 10}));
  CHECK(directory.problem() == "t10k-labels-idx1-ubyte: label 1 is out of range, got 10, expected 0 to 9");
}

TEST_CASE("A data set without images is refused") {
  const SmallMnist directory;
  directory.write("train-images-idx3-ubyte", images(0));
  CHECK(directory.problem() == "train-images-idx3-ubyte: got no images, expected at least one");
}

TEST_CASE("A directory in the place of a file is refused") {
  const SmallMnist directory;
  std::filesystem::remove(directory.path() / "train-images-idx3-ubyte");
  std::filesystem::create_directory(directory.path() / "train-images-idx3-ubyte");
  CHECK(directory.problem() == "train-images-idx3-ubyte: is a directory, expected a regular file");
}

TEST_CASE("The real MNIST has its known values") {
#ifdef TAPESTRY_MNIST_DIR
  const std::filesystem::path directory = TAPESTRY_MNIST_DIR;
#else
  const std::filesystem::path directory;
#endif
  if (!std::filesystem::is_directory(directory)) {
    MESSAGE("SKIPPED: the real MNIST is not in \"", directory.string(), "\" (set TAPESTRY_MNIST_DIR)");
    return;
  }
  const auto data = loadMnist(directory);
  CHECK(countsPerClass(data.training) == Counts{5923, 6742, 5958, 6131, 5842, 5421, 5918, 6265, 5851, 5949});
  CHECK(countsPerClass(data.test) == Counts{980, 1135, 1032, 1010, 982, 892, 958, 1028, 974, 1009});
  CHECK(firstLabels(data.training) == Bytes{5, 0, 4, 1, 9, 2, 1, 3, 1, 4});
  CHECK(firstLabels(data.test) == Bytes{7, 2, 1, 0, 4, 1, 4, 9, 5, 9});
  const auto& pixels = data.training.pixels;
  const auto sum = std::accumulate(pixels.begin(), pixels.end(), std::uint64_t{0});
  CHECK(static_cast<double>(sum) / static_cast<double>(pixels.size()) ==
        doctest::Approx(33.3184).epsilon(1e-6));
}

}  // namespace
}  // namespace tapestry::examples
