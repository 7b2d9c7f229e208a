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
  const auto content = file.takeUpTo(std::numeric_limits<std::size_t>::max());
  file.expectEnd();
  const FailImage fail = [&](const std::string& problem) { file.fail(problem); };
  constexpr std::uint8_t png[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  if (content.size() >= 8 && std::equal(png, png + 8, content.begin()))
    return toTensor(readPng(content, options.mostPixels, fail), options.channels);
  if (content.size() >= 3 && content[0] == 'P' && content[1] >= '1' && content[1] <= '6')
    return toTensor(readPnm(content, options.mostPixels, fail), options.channels);
  file.fail("no image, got a file of " + std::to_string(content.size()) +
            " bytes with another beginning, expected PNG, PBM, PGM or PPM");
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
