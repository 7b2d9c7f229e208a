// Defines Pixels, an image as files hold it, and the readers and writers of the formats.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <tapestry/deeplearning/data/read_image.hpp>

namespace tapestry {

/// Row after row, the channels of a pixel side by side; `white` is the greatest value.
struct Pixels {
  std::size_t height = 0;
  std::size_t width = 0;
  std::size_t channels = 1;
  std::uint32_t white = 255;
  std::vector<std::uint16_t> values = {};
};

/// Throws FileError.
using FailImage = std::function<void(const std::string& problem)>;

/// Both formats call this before they allocate memory; fails for no pixels, for more than `most`, and for so
/// many that 64 bits cannot hold the number of their bytes.
void requirePixels(const FailImage& fail, std::uint64_t width, std::uint64_t height, std::uint64_t most);

Pixels readPnm(std::span<const std::uint8_t> content, std::uint64_t mostPixels, const FailImage& fail);
/// Without libpng these fail.
Pixels readPng(std::span<const std::uint8_t> content, std::uint64_t mostPixels, const FailImage& fail);
std::vector<std::uint8_t> writtenPng(std::span<const std::uint8_t> pixels, std::size_t height,
                                     std::size_t width, std::size_t channels, const FailImage& fail);

}  // namespace tapestry
