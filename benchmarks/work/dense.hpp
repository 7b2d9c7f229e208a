// Defines DenseWork, what the rows dense_1024_* differentiate: two dense layers.
#pragma once

#include <tapestry/deeplearning/initializers.hpp>

#include <cstddef>

namespace tapestry::benchmarks {

/// 1024-1024-1024 on a batch of 256, without biases' or activations' part in the result, which is the lengths
/// of the weights' derivatives of the sum of all outputs, added up.
struct DenseWork {
  static constexpr std::size_t batch = 256;
  static constexpr std::size_t width = 1024;

  Generator generator{1};
  Tensor<float> x = normal({batch, width}, 0, 1, generator);
  Tensor<float> first = glorotUniform({width, width}, generator);
  Tensor<float> second = glorotUniform({width, width}, generator);
};

}  // namespace tapestry::benchmarks
