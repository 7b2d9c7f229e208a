// Defines ClassImages, images whose coarse classes have fine ones, and how CIFAR-100 is read into them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <tapestry/deeplearning/data/cifar.hpp>
#include <tapestry/tensor/tensor.hpp>
#include <vector>

namespace tapestry::examples {

/// Images of 20 coarse classes, each of which has 5 fine ones.
struct ClassImages {
  static constexpr std::size_t coarseClasses = 20;
  static constexpr std::size_t fineClasses = 5;

  Cifar images;
  std::vector<std::uint8_t> fine;  ///< of each image, the fine class's number in its coarse class

  [[nodiscard]] std::size_t size() const { return images.size(); }
  [[nodiscard]] std::size_t coarse(std::size_t index) const { return images.coarseLabels[index]; }

  /// The image's 3072 bytes as numbers from -1 to 1, to `to`; the end of what was written.
  float* writePixels(std::size_t index, float* to) const;

  /// The same as a tensor [3072].
  [[nodiscard]] Tensor<float> tensor(std::size_t index) const;
};

struct ClassImageData {
  ClassImages training;
  ClassImages test;
  std::string source = {};  ///< a phrase that says where they come from
};

/// Numbers the fine classes of each coarse one from 0, in the order of their labels. Throws InputError,
/// naming `place`, unless a coarse class has at most 5 fine ones, each its alone, in both sets together.
[[nodiscard]] ClassImageData numberFineClasses(Cifar training, Cifar test,
                                               const std::filesystem::path& place);

/// train.bin and test.bin of "CIFAR-100 binary version" in the directory, each plain or with .gz at its end.
/// Throws InputError if one is missing, empty or malformed.
[[nodiscard]] ClassImageData loadCifar100(const std::filesystem::path& directory);

/// `count` images of 100 classes, evenly: blots of colour for the coarse class, finer ones for the fine
/// class, shifted, brightened and noisy at random. `seed` decides the classes, `stream` the images of them;
/// equal arguments give equal bytes on every platform.
[[nodiscard]] Cifar paintImages(std::size_t count, std::uint64_t seed, std::uint64_t stream);

/// CIFAR-100 from `directory` if one is given; otherwise 8,000 training and 1,000 test images painted from
/// `seed`. Throws InputError where `loadCifar100` does.
[[nodiscard]] ClassImageData findClassImages(const std::optional<std::filesystem::path>& directory,
                                             std::uint64_t seed);

}  // namespace tapestry::examples
