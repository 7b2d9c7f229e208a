#include "support/drawn_digits.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "support/random.hpp"

namespace tapestry::examples {
namespace {

struct Point {
  int x, y;
};

using Stroke = std::vector<Point>;
using Glyph = std::vector<Stroke>;

/// In pixels from the middle of the image, y downwards.
const std::array<Glyph, 10> font{{
    {{{0, -9}, {-4, -7}, {-6, -2}, {-6, 3}, {-4, 7}, {0, 9}, {4, 7}, {6, 3}, {6, -2}, {4, -7}, {0, -9}}},
    {{{-3, -5}, {1, -9}, {0, 9}}},
    {{{-5, -5}, {-3, -8}, {1, -9}, {5, -7}, {5, -3}, {1, 3}, {-6, 9}, {6, 8}}},
    {{{-5, -7}, {-1, -9}, {4, -8}, {5, -4}, {3, -1}, {-1, 0}, {4, 1}, {6, 5}, {3, 9}, {-2, 9}, {-6, 7}}},
    {{{1, -9}, {-6, 3}, {6, 3}}, {{3, -3}, {3, 9}}},
    {{{5, -9}, {-4, -9}, {-5, -1}, {0, -2}, {5, 1}, {5, 6}, {1, 9}, {-5, 8}}},
    {{{4, -9}, {-1, -7}, {-5, -1}, {-6, 4}, {-4, 8}, {0, 9}, {4, 8}, {5, 4}, {3, 1}, {-1, 0}, {-5, 3}}},
    {{{-6, -8}, {6, -9}, {-1, 9}}},
    {{{5, -8}, {0, -9}, {-4, -7}, {-4, -4}, {4, 3}, {5, 6}, {0, 9}, {-5, 7}, {-4, 3}, {4, -4}, {5, -8}}},
    {{{5, -5}, {1, -1}, {-3, -1}, {-5, -5}, {-3, -8}, {1, -9}, {5, -7}, {5, -2}, {3, 4}, {2, 9}}},
}};

constexpr int unit = 16;  // the pen moves in sixteenths of a pixel
constexpr int extent = static_cast<int>(Digits::side);

/// A linear map, in 256ths, followed by a shift: how one digit lies in its image.
struct Placement {
  int xx, xy, yx, yy, shiftX, shiftY;

  explicit Placement(Random& random) {
    const int turn = random.between(-35, 35);
    const int slant = random.between(-60, 60);
    xx = random.between(180, 270);
    yy = random.between(215, 265);
    xy = slant - turn;
    yx = turn;
    shiftX = extent * unit / 2 + random.between(-2 * unit, 2 * unit);
    shiftY = extent * unit / 2 + random.between(-2 * unit, 2 * unit);
  }

  [[nodiscard]] Point operator()(Point p) const {
    return {(xx * p.x + xy * p.y) * unit / 256 + shiftX, (yx * p.x + yy * p.y) * unit / 256 + shiftY};
  }
};

int squaredDistance(Point p, Point from, Point to) {
  const int dx = to.x - from.x, dy = to.y - from.y, length = std::max(dx * dx + dy * dy, 1);
  const int along = std::clamp((p.x - from.x) * dx + (p.y - from.y) * dy, 0, length);
  const int x = p.x - from.x - dx * along / length, y = p.y - from.y - dy * along / length;
  return x * x + y * y;
}

class Canvas {
 public:
  explicit Canvas(std::span<std::uint8_t> pixels) : pixels_(pixels) {}

  /// Full ink up to `radius` from the line, fading out over the next pixel.
  void draw(Point from, Point to, int radius) {
    const int reach = radius + unit;
    const int full = radius * radius, none = reach * reach;
    for (int row = first(std::min(from.y, to.y) - reach); row < last(std::max(from.y, to.y) + reach); ++row)
      for (int column = first(std::min(from.x, to.x) - reach); column < last(std::max(from.x, to.x) + reach);
           ++column) {
        const Point middle{column * unit + unit / 2, row * unit + unit / 2};
        const int ink = 255 * (none - squaredDistance(middle, from, to)) / (none - full);
        auto& pixel = pixels_[static_cast<std::size_t>(row * extent + column)];
        pixel = static_cast<std::uint8_t>(std::clamp(ink, int{pixel}, 255));
      }
  }

 private:
  static int first(int position) { return std::clamp(position / unit, 0, extent); }
  static int last(int position) { return std::clamp(position / unit + 1, 0, extent); }

  std::span<std::uint8_t> pixels_;
};

void drawGlyph(const Glyph& glyph, std::span<std::uint8_t> pixels, Random& random) {
  const Placement place(random);
  const int radius = random.between(unit / 4, unit);
  Canvas canvas(pixels);
  for (Stroke stroke : glyph) {
    for (auto& point : stroke) {
      point = place(point);
      point.x += random.between(-unit * 3 / 4, unit * 3 / 4);
      point.y += random.between(-unit * 3 / 4, unit * 3 / 4);
    }
    for (std::size_t i = 1; i < stroke.size(); ++i) canvas.draw(stroke[i - 1], stroke[i], radius);
  }
  for (auto& pixel : pixels)
    pixel = static_cast<std::uint8_t>(std::clamp(pixel + random.between(-24, 24), 0, 255));
}

}  // namespace

Digits drawDigits(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  Digits digits{std::vector<std::uint8_t>(count * Digits::imageSize), std::vector<std::uint8_t>(count)};
  for (std::size_t i = 0; i < count; ++i) {
    digits.labels[i] = static_cast<std::uint8_t>(random.below(font.size()));
    drawGlyph(font[digits.labels[i]],
              std::span(digits.pixels).subspan(i * Digits::imageSize, Digits::imageSize), random);
  }
  return digits;
}

}  // namespace tapestry::examples
