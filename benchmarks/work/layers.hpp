// Defines DenseWork and ConvolutionWork, what the rows dense_1024_* and conv_* differentiate.
#pragma once

#include <tapestry/deeplearning/initializers.hpp>

#include <cstddef>

namespace tapestry::benchmarks {

/// Two dense layers, 1024-1024-1024, on a batch of 256. The result is the lengths of the weights' derivatives
/// of the sum of all outputs, added up; it depends on neither biases nor activations.
struct DenseWork {
  static constexpr std::size_t batch = 256;
  static constexpr std::size_t width = 1024;

  Generator generator{1};
  Tensor<float> x = normal({batch, width}, 0, 1, generator);
  Tensor<float> first = glorotUniform({width, width}, generator);
  Tensor<float> second = glorotUniform({width, width}, generator);
};

/// 32 images of 32 channels of 28 x 28, 32 filters of 3 x 3, padded by 1; the result is the lengths of the
/// derivatives of the sum of all outputs with respect to images and filters, added up.
struct ConvolutionWork {
  static constexpr std::size_t batch = 32, channels = 32, side = 28, kernel = 3, padding = 1;

  Generator generator{1};
  Tensor<float> images = normal({batch, channels, side, side}, 0, 1, generator);
  Tensor<float> filters = heNormal({channels, channels, kernel, kernel}, generator);
};

}  // namespace tapestry::benchmarks
