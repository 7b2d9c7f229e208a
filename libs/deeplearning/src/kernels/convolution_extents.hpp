// Defines ConvolutionExtents, a convolution with all its numbers, and Inside, the steps that stay in a plane.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>

#include <tapestry/deeplearning/height_width.hpp>

namespace tapestry::kernels {

struct ConvolutionExtents {
  std::size_t batch;
  std::size_t groups;
  std::size_t channelsIn;   ///< of each group
  std::size_t channelsOut;  ///< of each group
  HeightWidth in;
  HeightWidth out;
  HeightWidth kernel;
  HeightWidth stride;
  HeightWidth padding;
  HeightWidth dilation;

  friend auto operator<=>(const ConvolutionExtents&, const ConvolutionExtents&) noexcept = default;
};

/// The steps first <= i < last, of those below `steps`, for which 0 <= i * stride + offset - padding <
/// extent.
struct Inside {
  Inside(std::size_t steps, std::size_t stride, std::size_t offset, std::size_t padding, std::size_t extent)
      : first(padding > offset ? (padding - offset + stride - 1) / stride : 0),
        last(extent + padding > offset ? (extent + padding - offset - 1) / stride + 1 : 0) {
    last = std::min(last, steps);
    first = std::min(first, last);
  }
  std::size_t first;
  std::size_t last;
};

}  // namespace tapestry::kernels
