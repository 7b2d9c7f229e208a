// Defines PooledPlanes, all extents and steps of a pooling.
#pragma once

#include <cstddef>
#include <string_view>

#include <tapestry/tensor/kernels/pooling.hpp>

#include "kernels/convolution/inside.hpp"

namespace tapestry::kernels {

struct PooledPlanes {
  /// Throws ShapeError, naming `operation`, if the window does not fit.
  PooledPlanes(std::string_view operation, const Shape& x, const Pooling& pooling);

  /// Throws ShapeError, naming `operation`, unless the delta has the result's shape.
  void requireDelta(std::string_view operation, const Shape& delta) const;

  /// Calls body(start of x's plane, start of the result's line, the line's number in its plane) for each line
  /// of the result.
  template <class F>
  void forEachLine(const F& body) const {
    const std::size_t lines = out.width == 0 ? 0 : shape.size() / out.width;
    for (std::size_t line = 0; line < lines; ++line)
      body(line / out.height * in.height * in.width, line * out.width, line % out.height);
  }

  /// For each element of the window, as it moves along line i of the result, calls body(at, place, n): at the
  /// n places of the window from `place` on, it covers the elements at, at + stride, ... of x's plane.
  template <class F>
  void forEachElement(std::size_t i, const F& body) const {
    for (std::size_t p = 0; p < window.height; ++p) {
      const std::size_t line = i * stride.height + p - padding.height;
      if (line >= in.height) continue;  // A line above the plane has wrapped around to a large number.
      for (std::size_t q = 0; q < window.width; ++q) {
        const Inside places(out.width, stride.width, q, padding.width, in.width);
        if (places.empty()) continue;
        body(line * in.width + places.first * stride.width + q - padding.width, places.first,
             places.last - places.first);
      }
    }
  }

  HeightWidth window;
  HeightWidth stride;
  HeightWidth padding;
  HeightWidth in = 0;
  HeightWidth out = 0;
  Shape shape;
};

}  // namespace tapestry::kernels
