#include <algorithm>
#include <limits>

#include "image.hpp"

namespace tapestry {

namespace {

/// Reads https://netpbm.sourceforge.net/doc/pnm.html, of which there are six kinds: P1 to P6.
class PnmReader {
 public:
  PnmReader(std::span<const std::uint8_t> content, const FailImage& fail) : content_(content), fail_(fail) {}

  Pixels read(std::uint64_t mostPixels) {
    const int kind = content_[1] - '0';
    at_ = 2;
    const auto width = number("a width"), height = number("a height");
    requirePixels(fail_, width, height, mostPixels);
    Pixels pixels{static_cast<std::size_t>(height), static_cast<std::size_t>(width), kind % 3 == 0 ? 3U : 1U};
    const std::uint64_t white = kind == 1 || kind == 4 ? 1 : number("a greatest value");
    if (white == 0 || white > 65535)
      fail_("no greatest value, got " + std::to_string(white) + ", expected 1 to 65535");
    pixels.white = static_cast<std::uint32_t>(white);
    const std::size_t count = pixels.height * pixels.width * pixels.channels;
    if (kind >= 4) ++at_;  // one space before raw values
    if (kind == 1) bits(pixels, count);
    if (kind == 2 || kind == 3) plain(pixels, count);
    if (kind == 4) packedBits(pixels);
    if (kind > 4) raw(pixels, count);
    return pixels;
  }

 private:
  static bool isSpace(std::uint8_t byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

  void skipSpace() {
    for (; at_ < content_.size() && (isSpace(content_[at_]) || content_[at_] == '#'); ++at_)
      if (content_[at_] == '#')
        while (at_ + 1 < content_.size() && content_[at_] != '\n') ++at_;
  }

  /// Reads a number; a larger number than 2^32 becomes 2^32.
  std::uint64_t number(const char* what) {
    skipSpace();
    const std::size_t first = at_;
    std::uint64_t value = 0;
    for (; at_ < content_.size() && content_[at_] >= '0' && content_[at_] <= '9'; ++at_)
      value = std::min<std::uint64_t>(value * 10 + content_[at_] - '0', std::uint64_t{1} << 32);
    if (at_ == first)
      fail_(std::string("no ") + (what + 2) + " at byte " + std::to_string(at_) + ", got " +
            (at_ < content_.size() ? "another character" : "the end of the file") + ", expected a number");
    return value;
  }

  /// Fails unless so many bytes follow. Called before memory is taken.
  void require(std::size_t bytes) const {
    const std::size_t left = at_ < content_.size() ? content_.size() - at_ : 0;
    if (left < bytes)
      fail_("truncated, got " + std::to_string(left) + " bytes of pixels, expected " + std::to_string(bytes));
  }

  void add(Pixels& pixels, std::uint64_t value) const {
    if (value > pixels.white)
      fail_("a pixel beyond the greatest value, got " + std::to_string(value) + ", expected at most " +
            std::to_string(pixels.white));
    pixels.values.push_back(static_cast<std::uint16_t>(value));
  }

  void bits(Pixels& pixels, std::size_t count) {
    require(count);
    for (std::size_t i = 0; i < count; ++i) {
      skipSpace();
      if (at_ == content_.size() || (content_[at_] != '0' && content_[at_] != '1'))
        fail_("no pixel at byte " + std::to_string(at_) +
              ", got another character or the end, expected 0 or 1");
      add(pixels, content_[at_++] == '0' ? 1 : 0);  // 1 is black
    }
  }

  void packedBits(Pixels& pixels) {
    const std::size_t row = (pixels.width + 7) / 8;
    require(row * pixels.height);
    for (std::size_t y = 0; y < pixels.height; ++y, at_ += row)
      for (std::size_t x = 0; x < pixels.width; ++x)
        add(pixels, (content_[at_ + x / 8] >> (7 - x % 8) & 1) == 0 ? 1 : 0);
  }

  void plain(Pixels& pixels, std::size_t count) {
    require(2 * count);  // a space and a digit
    for (std::size_t i = 0; i < count; ++i) add(pixels, number("a pixel"));
  }

  void raw(Pixels& pixels, std::size_t count) {
    const bool wide = pixels.white > 255;
    require(wide ? 2 * count : count);
    for (std::size_t i = 0; i < count; ++i) {
      std::uint64_t value = content_[at_++];
      if (wide) value = value << 8 | content_[at_++];
      add(pixels, value);
    }
  }

  std::span<const std::uint8_t> content_;
  const FailImage& fail_;
  std::size_t at_ = 0;
};

}  // namespace

void requirePixels(const FailImage& fail, std::uint64_t width, std::uint64_t height, std::uint64_t most) {
  // a pixel has at most three channels of two bytes, whose number must not overflow
  const std::uint64_t bound = std::min(most, std::numeric_limits<std::uint64_t>::max() / 6);
  if (width == 0 || height == 0 || height > bound / width)
    fail("not as many pixels, got " + std::to_string(width) + " x " + std::to_string(height) +
         ", expected at least 1 and at most " + std::to_string(bound));
}

Pixels readPnm(std::span<const std::uint8_t> content, std::uint64_t mostPixels, const FailImage& fail) {
  return PnmReader(content, fail).read(mostPixels);
}

}  // namespace tapestry
