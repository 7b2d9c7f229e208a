#include "support/class_images.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>

#include "support/input_file.hpp"
#include "support/random.hpp"

namespace tapestry::examples {
namespace {

constexpr std::size_t side = 32;
constexpr std::size_t channels = 3;
constexpr std::size_t labels = ClassImages::coarseClasses * ClassImages::fineClasses;

Cifar read(const std::filesystem::path& directory, const std::string& name) {
  const auto path = findFile(directory, name);
  Cifar images = readInput([&path] { return readCifar100(path); });
  if (images.size() == 0) throw InputError(path, "got no images, expected at least one");
  return images;
}

/// Random levels of a grid of square cells that covers an image and the edge by which it is shifted.
class Blots {
 public:
  static constexpr int shift = 4;

  Blots(std::size_t cell, int strength, Random& random) : cell_(cell), across_((side + shift) / cell + 1) {
    for (std::size_t i = 0; i < channels * across_ * across_; ++i)
      levels_.push_back(random.between(-strength, strength));
  }

  [[nodiscard]] int at(std::size_t channel, std::size_t row, std::size_t column) const {
    return levels_[(channel * across_ + row / cell_) * across_ + column / cell_];
  }

 private:
  std::size_t cell_;
  std::size_t across_;
  std::vector<int> levels_;
};

}  // namespace

float* ClassImages::writePixels(std::size_t index, float* to) const {
  return std::ranges::transform(images.image(index), to,
                                [](std::uint8_t pixel) { return static_cast<float>(pixel) / 127.5F - 1; })
      .out;
}

Tensor<float> ClassImages::tensor(std::size_t index) const {
  auto pixels = Tensor<float>::uninitialized({Cifar::imageSize});
  writePixels(index, pixels.exclusiveData());
  return pixels;
}

ClassImageData numberFineClasses(Cifar training, Cifar test, const std::filesystem::path& place) {
  std::map<std::size_t, std::size_t> coarseOf;  // by fine label, in order
  for (const Cifar* const images : {&std::as_const(training), &std::as_const(test)})
    for (std::size_t i = 0; i < images->size(); ++i) {
      const auto [found, isNew] = coarseOf.try_emplace(images->labels[i], images->coarseLabels[i]);
      if (found->second != images->coarseLabels[i])
        throw InputError(place, "fine class " + std::to_string(found->first) +
                                    " is in two coarse classes, got " +
                                    std::to_string(images->coarseLabels[i]) + ", expected " +
                                    std::to_string(found->second) + " as before");
    }
  std::array<std::size_t, ClassImages::coarseClasses> used{};
  std::array<std::uint8_t, labels> number{};
  for (const auto& [fine, coarse] : coarseOf) {
    if (used[coarse] == ClassImages::fineClasses)
      throw InputError(place, "coarse class " + std::to_string(coarse) +
                                  " has too many fine classes, got 6 or more, expected at most 5");
    number[fine] = static_cast<std::uint8_t>(used[coarse]++);
  }
  const auto numbered = [&](Cifar& images) {
    ClassImages result{std::move(images), {}};
    for (const std::uint8_t label : result.images.labels) result.fine.push_back(number[label]);
    return result;
  };
  return {numbered(training), numbered(test)};
}

ClassImageData loadCifar100(const std::filesystem::path& directory) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(directory, ignored))
    throw InputError(directory,
                     "no such directory, expected one that holds train.bin and test.bin of CIFAR-100");
  Cifar training = read(directory, "train.bin");
  auto data = numberFineClasses(std::move(training), read(directory, "test.bin"), directory);
  data.source = "CIFAR-100 in " + directory.string();
  return data;
}

ClassImageData findClassImages(const std::optional<std::filesystem::path>& directory, std::uint64_t seed) {
  if (directory) return loadCifar100(*directory);
  auto data = numberFineClasses(paintImages(8'000, seed, 0), paintImages(1'000, seed, 1), "painted images");
  data.source = "images painted from seed " + std::to_string(seed) + " (or give --data DIR)";
  return data;
}

Cifar paintImages(std::size_t count, std::uint64_t seed, std::uint64_t stream) {
  Random classes(seed);
  std::vector<Blots> coarse, fine;
  for (std::size_t i = 0; i < ClassImages::coarseClasses; ++i) coarse.emplace_back(8, 9, classes);
  for (std::size_t i = 0; i < labels; ++i) fine.emplace_back(4, 16, classes);
  Random random(seed ^ (stream + 1) << 32);
  Cifar painted;
  painted.pixels.reserve(count * Cifar::imageSize);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t label = i % labels;
    const std::size_t kind = label % ClassImages::coarseClasses;
    painted.labels.push_back(static_cast<std::uint8_t>(label));
    painted.coarseLabels.push_back(static_cast<std::uint8_t>(kind));
    const std::size_t down = random.below(Blots::shift), right = random.below(Blots::shift);
    const int brightness = 128 + random.between(-20, 20);
    for (std::size_t channel = 0; channel < channels; ++channel)
      for (std::size_t row = down; row < side + down; ++row)
        for (std::size_t column = right; column < side + right; ++column) {
          const int level = brightness + coarse[kind].at(channel, row, column) +
                            fine[label].at(channel, row, column) + random.between(-60, 60);
          painted.pixels.push_back(static_cast<std::uint8_t>(std::clamp(level, 0, 255)));
        }
  }
  return painted;
}

}  // namespace tapestry::examples
