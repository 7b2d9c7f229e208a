#include "gated_digits/terminal_image.hpp"

#include <algorithm>
#include <sstream>
#include <vector>

namespace tapestry::examples {
namespace {

constexpr std::size_t gap = 2;  // columns between the images

bool isInk(Digits::Image image, std::size_t row, std::size_t column) {
  return row < Digits::side && image[row * Digits::side + column] >= 128;
}

/// The part of an image that has ink, each end exclusive; a single pixel if there is none.
struct Box {
  std::size_t top = Digits::side, bottom = 0, left = Digits::side, right = 0;

  explicit Box(Digits::Image image) {
    for (std::size_t row = 0; row < Digits::side; ++row)
      for (std::size_t column = 0; column < Digits::side; ++column)
        if (isInk(image, row, column)) include(row, column);
    if (bottom == 0) include(0, 0);
  }

  void include(std::size_t row, std::size_t column) {
    top = std::min(top, row);
    bottom = std::max(bottom, row + 1);
    left = std::min(left, column);
    right = std::max(right, column + 1);
  }
};

/// Lines of text that all take `width` columns.
struct Block {
  std::vector<std::string> lines;
  std::size_t width;

  [[nodiscard]] std::string line(std::size_t index) const {
    return index < lines.size() ? lines[index] : std::string(width, ' ');
  }
};

Block drawPixels(Digits::Image image) {
  static const std::string halves[] = {" ", "▀", "▄", "█"};
  const Box box(image);
  Block block{{}, box.right - box.left};
  for (std::size_t row = box.top; row < box.bottom; row += 2) {
    std::string line;
    for (std::size_t column = box.left; column < box.right; ++column)
      line += halves[(isInk(image, row, column) ? 1 : 0) + (isInk(image, row + 1, column) ? 2 : 0)];
    block.lines.push_back(line);
  }
  return block;
}

Block drawCaption(const std::string& caption) {
  Block block{{}, 0};
  std::istringstream text(caption);
  for (std::string line; std::getline(text, line);) block.lines.push_back(line);
  for (const auto& line : block.lines) block.width = std::max(block.width, line.size());
  for (auto& line : block.lines) line.resize(block.width, ' ');
  return block;
}

Block beside(const Block& left, std::size_t space, const Block& right) {
  Block both{{}, left.width + space + right.width};
  for (std::size_t i = 0; i < std::max(left.lines.size(), right.lines.size()); ++i)
    both.lines.push_back(left.line(i) + std::string(space, ' ') + right.line(i));
  return both;
}

std::string print(const Block& block) {
  std::string text;
  for (const auto& line : block.lines) text += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
  return text;
}

}  // namespace

std::string drawImages(std::span<const CaptionedImage> images, std::size_t columns) {
  std::string text;
  Block row{{}, 0};
  for (const auto& image : images) {
    const auto next = beside(drawPixels(image.pixels), 1, drawCaption(image.caption));
    if (row.width > 0 && row.width + gap + next.width > columns) {
      text += print(row) + '\n';
      row = next;
    } else {
      row = row.width == 0 ? next : beside(row, gap, next);
    }
  }
  return text + print(row);
}

}  // namespace tapestry::examples
