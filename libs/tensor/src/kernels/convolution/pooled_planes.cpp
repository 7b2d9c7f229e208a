#include "kernels/convolution/pooled_planes.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include <tapestry/tensor/shape_error.hpp>

namespace tapestry::kernels {

namespace {

std::string text(const HeightWidth& pair) {
  return std::to_string(pair.height) + " x " + std::to_string(pair.width);
}

}  // namespace

PooledPlanes::PooledPlanes(std::string_view operation, const Shape& x, const Pooling& pooling)
    : window(pooling.window),
      stride(pooling.stride.height == 0 ? window.height : pooling.stride.height,
             pooling.stride.width == 0 ? window.width : pooling.stride.width),
      padding(pooling.padding) {
  pooling.requireValid(operation);
  if (x.rank() < 2) throw ShapeError(operation, "not planes", toString(x), "[..., H, W]");
  in = {x[x.rank() - 2], x[x.rank() - 1]};
  if (in.height == 0 || in.width == 0 || in.height + 2 * padding.height < window.height ||
      in.width + 2 * padding.width < window.width)
    throw ShapeError(operation, "the window is larger than the planes",
                     text(window) + " for " + toString(x) + " with a padding of " + text(padding),
                     "a window of at most H + 2 * padding, and the same of W");
  out = {(in.height + 2 * padding.height - window.height) / stride.height + 1,
         (in.width + 2 * padding.width - window.width) / stride.width + 1};
  std::vector<std::size_t> extents(x.begin(), x.end());
  extents[x.rank() - 2] = out.height;
  extents[x.rank() - 1] = out.width;
  shape = Shape(extents);
}

void PooledPlanes::requireDelta(std::string_view operation, const Shape& delta) const {
  if (delta != shape)
    throw ShapeError(operation, "a delta of the wrong shape", toString(delta), toString(shape));
}

void Pooling::requireValid(std::string_view operation) const {
  const auto fault = [&](const std::string& problem) {
    return std::invalid_argument("tapestry::" + std::string(operation) + ": " + problem);
  };
  constexpr std::size_t greatest = std::numeric_limits<int>::max();
  if (std::min(window.height, window.width) == 0 || std::max(window.height, window.width) > greatest)
    throw fault("window out of range, got " + text(window) + ", expected 1 .. " + std::to_string(greatest));
  if (std::max(stride.height, stride.width) > greatest)
    throw fault("stride out of range, got " + text(stride) + ", expected 0 .. " + std::to_string(greatest));
  if (padding.height >= window.height || padding.width >= window.width)
    throw fault("the padding fills the window, got " + text(padding) + " for " + text(window) +
                ", expected less padding than window");
}

Shape Pooling::shapeOf(std::string_view operation, const Shape& x) const {
  return PooledPlanes(operation, x, *this).shape;
}

}  // namespace tapestry::kernels
