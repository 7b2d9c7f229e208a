#include "gated_digits/terminal_image.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <vector>

namespace tapestry::examples {
namespace {

/// An image with the rows of `drawing` at its lower right, a `#` for each pixel of ink.
std::vector<std::uint8_t> image(std::initializer_list<std::string_view> drawing) {
  std::vector<std::uint8_t> pixels(Digits::imageSize, 20);
  std::size_t row = Digits::side - drawing.size();
  for (const auto line : drawing) {
    for (std::size_t i = 0; i < line.size(); ++i)
      if (line[i] == '#') pixels[row * Digits::side + Digits::side - line.size() + i] = 200;
    ++row;
  }
  return pixels;
}

Digits::Image view(const std::vector<std::uint8_t>& pixels) {
  return Digits::Image(pixels.data(), pixels.size());
}

TEST_CASE("Two rows of pixels make one line, without the blank margins") {
  const auto seven = image({"####", "   #", "  # ", " #  ", " #  "});
  const CaptionedImage images[] = {{view(seven), "read 7\nis 1"}};
  CHECK(drawImages(images) ==
        "▀▀▀█ read 7\n"
        " ▄▀  is 1\n"
        " ▀\n");
}

TEST_CASE("Images stand side by side as long as there is room, with at least one to a row") {
  const auto one = image({"#", "#", "#", "#"}), dash = image({"###"});
  const CaptionedImage images[] = {{view(one), "1"}, {view(dash), "-\n?"}, {view(one), "one"}};
  CHECK(drawImages(images, 17) ==
        "█ 1  ▀▀▀ -  █ one\n"
        "█        ?  █\n");
  CHECK(drawImages(images, 16) ==
        "█ 1  ▀▀▀ -\n"
        "█        ?\n"
        "\n"
        "█ one\n"
        "█\n");
  CHECK(drawImages(images, 0) ==
        "█ 1\n█\n\n"
        "▀▀▀ -\n    ?\n\n"
        "█ one\n█\n");
}

TEST_CASE("A blank image, a full image and no image can be drawn") {
  const auto blank = image({});
  const std::vector<std::uint8_t> full(Digits::imageSize, 255);
  const CaptionedImage blanks[] = {{view(blank), "nothing"}}, fulls[] = {{view(full), ""}};
  CHECK(drawImages(blanks) == "  nothing\n");
  const auto lines = drawImages(fulls);
  CHECK(std::ranges::count(lines, '\n') == 14);
  CHECK(lines.size() == 14 * (28 * std::string_view("█").size() + 1));
  CHECK(drawImages({}).empty());
}

}  // namespace
}  // namespace tapestry::examples
