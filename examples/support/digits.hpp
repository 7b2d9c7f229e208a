// Defines Digits, images of handwritten digits with their labels, and how MNIST is read into them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <tapestry/tensor/tensor.hpp>
#include <vector>

namespace tapestry::examples {

/// One grey byte per pixel, 0 for background and 255 for full ink, row by row; one label from 0 to 9 per
/// image.
struct Digits {
  static constexpr std::size_t side = 28;
  static constexpr std::size_t imageSize = side * side;
  using Image = std::span<const std::uint8_t, imageSize>;

  std::vector<std::uint8_t> pixels;
  std::vector<std::uint8_t> labels;

  [[nodiscard]] std::size_t size() const { return labels.size(); }

  /// A view that lives as long as `pixels` stays as it is. The index must be below `size()`.
  [[nodiscard]] Image image(std::size_t index) const {
    return Image(pixels.data() + index * imageSize, imageSize);
  }

  /// The image's pixels as numbers from 0 to 1, to `to`; returns the end of what was written.
  static float* write(Image image, float* to);

  /// The image as a tensor [784] of such numbers. (All images as floats would take 188 MB.)
  [[nodiscard]] Tensor<float> tensor(std::size_t index) const;
};

/// The digits to learn from, others to be tested on, and a phrase that says where they come from.
struct DigitData {
  Digits training;
  Digits test;
  std::string source;
};

/// Reads the four files of MNIST, each plain or gzipped. Throws InputError if one is missing or malformed, or
/// if images and labels do not fit together.
[[nodiscard]] DigitData loadMnist(const std::filesystem::path& directory);

/// MNIST from `directory` if one is given, or from `data/mnist` under the current directory if that exists,
/// or else 12,000 training and 2,000 test digits drawn from `seed`. Throws InputError where `loadMnist` does.
[[nodiscard]] DigitData findDigits(const std::optional<std::filesystem::path>& directory, std::uint64_t seed);

}  // namespace tapestry::examples
