#include "support/digits.hpp"

#include <algorithm>
#include <initializer_list>
#include <tapestry/deeplearning/data/read_idx.hpp>
#include <utility>

#include "support/drawn_digits.hpp"
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

/// `directory/name` if it exists, otherwise `directory/name.gz`.
std::filesystem::path find(const std::filesystem::path& directory, const std::string& name) {
  for (const auto& path : {directory / name, directory / (name + ".gz")})
    if (std::error_code ignored; std::filesystem::exists(path, ignored)) return path;
  throw InputError(directory / name, "no such file, expected it here, plain or with .gz at its end");
}

std::vector<std::uint8_t> read(const std::filesystem::path& path,
                               std::initializer_list<std::uint32_t> itemShape) try {
  return readIdx(path, itemShape);
} catch (const FileError& error) {
  throw InputError(error.path(), error.problem());
}

Digits readDigits(const std::filesystem::path& directory, const std::string& part) {
  const auto images = find(directory, part + "-images-idx3-ubyte");
  const auto labels = find(directory, part + "-labels-idx1-ubyte");
  Digits digits{read(images, {Digits::side, Digits::side}), read(labels, {})};
  check(digits, images, labels);
  return digits;
}

}  // namespace

Tensor<float> Digits::tensor(std::size_t index) const {
  auto numbers = Tensor<float>::uninitialized({imageSize});
  std::ranges::transform(image(index), numbers.exclusiveData(),
                         [](std::uint8_t pixel) { return static_cast<float>(pixel) / 255; });
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
