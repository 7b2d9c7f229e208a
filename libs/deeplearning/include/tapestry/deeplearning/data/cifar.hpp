// Defines Cifar, the labelled images of CIFAR-10 and CIFAR-100, and the functions that read their binary
// files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "tapestry/tensor/lifetime_bound.hpp"
#include "tapestry/tensor/storage/file_error.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// Images of 32x32 pixels: 1024 bytes of red, row by row, then of green, then of blue.
struct Cifar {
  static constexpr std::size_t imageSize = 3 * 32 * 32;

  std::vector<std::uint8_t> pixels;        ///< image after image
  std::vector<std::uint8_t> labels;        ///< from 0 to 9; for CIFAR-100 the fine labels, from 0 to 99
  std::vector<std::uint8_t> coarseLabels;  ///< only for CIFAR-100, from 0 to 19

  std::size_t size() const noexcept { return labels.size(); }

  /// Returns a view that is valid until `pixels` changes. Precondition: the index is below size().
  std::span<const std::uint8_t, imageSize> image(std::size_t index) const noexcept TAPESTRY_LIFETIME_BOUND {
    return std::span<const std::uint8_t, imageSize>(pixels.data() + index * imageSize, imageSize);
  }
};

/// Reads a file such as data_batch_1.bin of "CIFAR-10 binary version", plain or gzipped, and appends it to
/// `before`: readCifar10(second, readCifar10(first)). Throws FileError if the file is missing, ends inside an
/// image, or has a label out of range. Blocks the thread.
[[nodiscard]] Cifar readCifar10(const std::filesystem::path& file, Cifar before = {});

/// The same for train.bin and test.bin of "CIFAR-100 binary version", which have two labels for each image.
[[nodiscard]] Cifar readCifar100(const std::filesystem::path& file, Cifar before = {});

}  // namespace tapestry
#pragma GCC visibility pop
