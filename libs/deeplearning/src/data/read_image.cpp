#include <tapestry/deeplearning/data/read_image.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <tapestry/deeplearning/data/input_file.hpp>
#include <tapestry/tensor/shape_error.hpp>
#include <tapestry/tensor/storage/atomic_file.hpp>

#include "image.hpp"

namespace tapestry {

namespace {

using Channels = ImageOptions::Channels;

constexpr std::uint8_t pngBeginning[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

/// The channel of a pixel: the luminance (ITU-R BT.601) where grey is wanted of colours.
float channelOf(const Pixels& pixels, std::size_t pixel, std::size_t channel, bool toGrey) {
  const auto* const values = pixels.values.data() + pixel * pixels.channels;
  const auto white = static_cast<float>(pixels.white);
  if (toGrey)
    return (0.299F * static_cast<float>(values[0]) + 0.587F * static_cast<float>(values[1]) +
            0.114F * static_cast<float>(values[2])) /
           white;
  return static_cast<float>(values[pixels.channels == 1 ? 0 : channel]) / white;
}

Tensor<float> toTensor(const Pixels& pixels, Channels wanted) {
  const bool toGrey = wanted == Channels::grey && pixels.channels == 3;
  const std::size_t channels = wanted == Channels::stored ? pixels.channels
                               : wanted == Channels::grey ? 1
                                                          : 3;
  auto image = Tensor<float>::uninitialized({channels, pixels.height, pixels.width});
  const std::size_t count = pixels.height * pixels.width;
  for (std::size_t channel = 0; channel < channels; ++channel)
    for (std::size_t pixel = 0; pixel < count; ++pixel)
      image.exclusiveData()[channel * count + pixel] = channelOf(pixels, pixel, channel, toGrey);
  return image;
}

/// The largest size of a file of so many pixels: 18 bytes for each, three numbers such as 65535 with a space
/// after each, which is the longest form of a pixel, and 1 MiB for all else.
std::uint64_t mostBytes(std::uint64_t mostPixels) {
  constexpr std::uint64_t aPixel = 18, allElse = 1 << 20;
  constexpr auto most = std::numeric_limits<std::uint64_t>::max();
  return mostPixels > (most - allElse) / aPixel ? most : allElse + aPixel * mostPixels;
}

/// Takes the rest of the file, and returns it after the beginning, which has been taken.
std::vector<std::uint8_t> wholeContent(InputFile& file, const std::vector<std::uint8_t>& beginning,
                                       std::uint64_t mostPixels) {
  const auto most = mostBytes(mostPixels);
  auto content = file.takeUpTo(most - beginning.size());
  if (!file.atEnd())
    file.fail("too long for an image of at most " + std::to_string(mostPixels) + " pixels, got more than " +
              std::to_string(most) + " bytes, expected the end there");
  content.insert(content.begin(), beginning.begin(), beginning.end());
  return content;
}

/// The numbers as bytes, the channels of a pixel side by side.
std::vector<std::uint8_t> toBytes(const Tensor<float>& image, std::size_t channels) {
  const std::size_t count = image.size() / channels;
  std::vector<std::uint8_t> bytes(image.size());
  for (std::size_t pixel = 0; pixel < count; ++pixel)
    for (std::size_t channel = 0; channel < channels; ++channel) {
      const float value = image.data()[channel * count + pixel];
      bytes[pixel * channels + channel] =
          static_cast<std::uint8_t>(std::lround(255 * (value > 0 ? std::min(value, 1.0F) : 0.0F)));
    }
  return bytes;
}

}  // namespace

Tensor<float> readImage(const std::filesystem::path& path, const ImageOptions& options) {
  InputFile file(path, "readImage");
  const auto beginning = file.takeUpTo(std::size(pngBeginning));
  const bool isPng = std::ranges::equal(beginning, pngBeginning);
  const bool isPnm =
      beginning.size() >= 3 && beginning[0] == 'P' && beginning[1] >= '1' && beginning[1] <= '6';
  if (!isPng && !isPnm)
    file.fail(std::string("no image, got a file of ") + (file.atEnd() ? "" : "more than ") +
              std::to_string(beginning.size()) +
              " bytes with another beginning, expected PNG, PBM, PGM or PPM");
  const auto content = wholeContent(file, beginning, options.mostPixels);
  const FailImage fail = [&](const std::string& problem) { file.fail(problem); };
  const auto readPixels = isPng ? readPng : readPnm;
  return toTensor(readPixels(content, options.mostPixels, fail), options.channels);
}

void saveImage(const std::filesystem::path& path, const Tensor<float>& image) {
  const Shape& shape = image.shape();
  const std::size_t channels = shape.rank() == 3 ? shape[0] : 1;
  const auto extension = path.extension();
  if ((shape.rank() != 2 && shape.rank() != 3) || (channels != 1 && channels != 3) || shape.size() == 0)
    throw ShapeError("saveImage", "no image", toString(shape), "[height, width], [1, ..] or [3, ..]");
  const std::size_t height = shape[shape.rank() - 2], width = shape[shape.rank() - 1];
  const FailImage fail = [&](const std::string& problem) { throw FileError("saveImage", path, problem); };
  std::vector<std::uint8_t> content = toBytes(image, channels);
  if (extension == ".png") {
    content = writtenPng(content, height, width, channels, fail);
  } else if ((extension == ".pgm" && channels == 1) || (extension == ".ppm" && channels == 3)) {
    const std::string header =
        (channels == 1 ? "P5\n" : "P6\n") + std::to_string(width) + " " + std::to_string(height) + "\n255\n";
    content.insert(content.begin(), header.begin(), header.end());
  } else {
    fail("another format, got \"" + extension.string() + "\" for " + std::to_string(channels) +
         " channels, expected .png, .pgm for 1 channel or .ppm for 3");
  }
  AtomicFile file(path, "saveImage");
  file.write(std::as_bytes(std::span(std::as_const(content))));
  file.commit();
}

}  // namespace tapestry
