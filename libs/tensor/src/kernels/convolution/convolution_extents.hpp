// Defines ConvolutionExtents, all extents and steps of a convolution.
#pragma once

#include <compare>
#include <cstddef>

#include <tapestry/tensor/height_width.hpp>

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

}  // namespace tapestry::kernels
