#include "support/digits.hpp"

#include <algorithm>
#include <utility>

#include "support/idx.hpp"
#include "support/input_error.hpp"

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
  const auto images = findIdx(directory, part + "-images-idx3-ubyte");
  const auto labels = findIdx(directory, part + "-labels-idx1-ubyte");
  Digits digits{readIdx(images, {Digits::side, Digits::side}), readIdx(labels, {})};
  check(digits, images, labels);
  return digits;
}

}  // namespace

DigitData loadMnist(const std::filesystem::path& directory) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(directory, ignored))
    throw InputError(directory, "no such directory, expected one that holds the four files of MNIST");
  return {readDigits(directory, "train"), readDigits(directory, "t10k"), "MNIST in " + directory.string()};
}

}  // namespace tapestry::examples
