// Defines ConvolutionWork, what the rows conv_* differentiate: a convolution.
#pragma once

#include <tapestry/deeplearning/initializers.hpp>

#include <cstddef>

namespace tapestry::benchmarks {

/// 32 images of 32 channels of 28 x 28, 32 filters of 3 x 3, padded by 1; the result is the lengths of the
/// derivatives of the sum of all outputs with respect to images and filters, added up.
struct ConvolutionWork {
  static constexpr std::size_t batch = 32, channels = 32, side = 28, kernel = 3, padding = 1;

  Generator generator{1};
  Tensor<float> images = normal({batch, channels, side, side}, 0, 1, generator);
  Tensor<float> filters = heNormal({channels, channels, kernel, kernel}, generator);
};

}  // namespace tapestry::benchmarks
