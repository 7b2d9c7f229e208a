#include "support/digits.hpp"

#include <algorithm>
#include <tapestry/deeplearning/data/read_idx.hpp>
#include <utility>

#include "support/drawn_digits.hpp"
#include "support/input_file.hpp"

namespace tapestry::examples {
namespace {

void check(const Digits& digits, const std::filesystem::path& images, const std::filesystem::path& labels) {
  const auto imageCount = digits.pixels.size() / Digits::imageSize;
  if (imageCount == 0) throw InputError(images, "got no images, expected at least one");
  if (imageCount != digits.labels.size())
    throw InputError(labels, "counts disagree, got " + std::to_string(digits.labels.size()) +
                                 " labels, expected " + std::to_string(imageCount) +
                                 ", one for each image of " + images.filename().string());
  const auto bad = std::ranges::find_if(digits.labels, [](auto label) { return label > 9; });
  if (bad != digits.labels.end())
    throw InputError(labels, "label " + std::to_string(bad - digits.labels.begin()) +
                                 " is out of range, got " + std::to_string(*bad) + ", expected 0 to 9");
}

Digits readDigits(const std::filesystem::path& directory, const std::string& part) {
  const auto images = findFile(directory, part + "-images-idx3-ubyte");
  const auto labels = findFile(directory, part + "-labels-idx1-ubyte");
  const auto digits = readInput([&] {
    return Digits{readIdx(images, {Digits::side, Digits::side}), readIdx(labels, {})};
  });
  check(digits, images, labels);
  return digits;
}

}  // namespace

float* Digits::write(Image image, float* to) {
  return std::ranges::transform(image, to, [](std::uint8_t pixel) { return static_cast<float>(pixel) / 255; })
      .out;
}

Tensor<float> Digits::tensor(std::size_t index) const {
  auto numbers = Tensor<float>::uninitialized({imageSize});
  write(image(index), numbers.exclusiveData());
  return numbers;
}

DigitData loadMnist(const std::filesystem::path& directory) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(directory, ignored))
    throw InputError(directory, "no such directory, expected one that holds the four files of MNIST");
  return {readDigits(directory, "train"), readDigits(directory, "t10k"), "MNIST in " + directory.string()};
}

DigitData findDigits(const std::optional<std::filesystem::path>& directory, std::uint64_t seed) {
  if (directory) return loadMnist(*directory);
  const std::filesystem::path usual = "data/mnist";
  if (std::error_code ignored; std::filesystem::exists(usual, ignored)) return loadMnist(usual);
  return {drawDigits(12'000, seed), drawDigits(2'000, ~seed),
          "digits drawn from seed " + std::to_string(seed) +
              ", since no data/mnist is here (or give --data DIR)"};
}

}  // namespace tapestry::examples
