// Defines drawImages, which draws images of digits as text, two pixels to a character.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "support/digits.hpp"

namespace tapestry::examples {

/// The caption may have several lines, each ASCII. The pixels must live until they are drawn.
struct CaptionedImage {
  Digits::Image pixels;
  std::string caption;
};

/// The images side by side, each without its blank margins and with its caption to its right, in as many rows
/// as `columns` columns ask for. Pixels of at least half ink show as block characters in UTF-8, the others as
/// spaces.
[[nodiscard]] std::string drawImages(std::span<const CaptionedImage> images, std::size_t columns = 80);

}  // namespace tapestry::examples
