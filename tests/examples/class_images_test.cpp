#include "support/class_images.hpp"

#include <doctest/doctest.h>

#include <array>
#include <utility>

#include "input_files.hpp"

namespace tapestry::examples {
namespace {

using Labels = std::pair<std::uint8_t, std::uint8_t>;  // coarse and fine

/// A file of CIFAR-100, whose every image is grey of the level of its fine label.
Bytes records(std::initializer_list<Labels> labels) {
  Bytes bytes;
  for (const auto& [coarse, fine] : labels) {
    bytes.push_back(coarse);
    bytes.push_back(fine);
    bytes.insert(bytes.end(), Cifar::imageSize, fine);
  }
  return bytes;
}

struct SmallCifar : TemporaryDirectory {
  SmallCifar() {
    write("train.bin", records({{3, 90}, {3, 7}, {0, 8}}));
    write("test.bin.gz", gzipped(records({{3, 50}, {3, 90}})));
  }
  std::string problem() const {
    return messageOf(*this, [&] { (void)loadCifar100(path()); });
  }
};

TEST_CASE("Both files are read, plain or gzipped, and the fine classes numbered in their coarse one") {
  const SmallCifar directory;
  const auto data = findClassImages(directory.path(), 1);
  CHECK(data.source == "CIFAR-100 in " + directory.path().string());
  CHECK(data.training.size() == 3);
  CHECK(data.training.coarse(0) == 3);
  CHECK(data.training.fine == Bytes{2, 0, 0});
  CHECK(data.test.fine == Bytes{1, 2});
  CHECK(data.test.tensor(0).shape() == Shape{3072});
  CHECK(data.test.tensor(0)(3071) == doctest::Approx(50 / 127.5 - 1));
}

TEST_CASE("A file that is missing, empty, cut off or wrong is named") {
  const SmallCifar directory;
  directory.write("train.bin", {});
  CHECK(directory.problem() == "train.bin: got no images, expected at least one");
  Bytes cut = records({{3, 90}});
  cut.pop_back();
  directory.write("train.bin", cut);
  CHECK(directory.problem().starts_with("train.bin: "));
  directory.write("train.bin", records({{20, 90}}));
  CHECK(directory.problem() ==
        "train.bin: the coarse label of image 0 is out of range, got 20, expected 0 to 19");
  std::filesystem::remove(directory.path() / "train.bin");
  CHECK(directory.problem() == "train.bin: no such file, expected it here, plain or with .gz at its end");
  std::filesystem::remove(directory.path() / "test.bin.gz");
  CHECK(directory.problem().starts_with("train.bin: no such file"));
  CHECK(messageOf(directory, [&] { (void)loadCifar100(directory.path() / "none"); }) ==
        "none: no such directory, expected one that holds train.bin and test.bin of CIFAR-100");
}

TEST_CASE("Fine classes that do not fit the network are refused") {
  const SmallCifar directory;
  directory.write("train.bin", records({{3, 1}, {3, 2}, {3, 3}, {3, 4}, {3, 5}, {3, 6}}));
  CHECK(directory.problem().find(
            "coarse class 3 has too many fine classes, got 6 or more, expected at most 5") !=
        std::string::npos);
  directory.write("train.bin", records({{4, 90}}));
  CHECK(directory.problem().find("fine class 90 is in two coarse classes, got 3, expected 4 as before") !=
        std::string::npos);
}

TEST_CASE("Painted images are the same for the same seed, and evenly of all classes") {
  const Cifar images = paintImages(200, 5, 0);
  CHECK(images.pixels == paintImages(200, 5, 0).pixels);
  CHECK(images.pixels != paintImages(200, 6, 0).pixels);
  CHECK(images.pixels != paintImages(200, 5, 1).pixels);
  std::array<int, 100> counts{};
  for (const auto label : images.labels) ++counts.at(label);
  for (const int count : counts) CHECK(count == 2);
  const auto numbered = numberFineClasses(images, {}, "painted").training;
  std::array<int, 5> fine{};
  for (const auto number : numbered.fine) ++fine.at(number);
  for (const int count : fine) CHECK(count == 40);
}

TEST_CASE("Without a directory, images are painted to train on and others of the same classes for the test") {
  const auto data = findClassImages({}, 2);
  CHECK(data.training.size() == 8'000);
  CHECK(data.test.size() == 1'000);
  CHECK(data.source.starts_with("images painted from seed 2"));
}

}  // namespace
}  // namespace tapestry::examples
