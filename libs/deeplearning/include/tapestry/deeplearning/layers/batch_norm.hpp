// Defines BatchNorm, the layer that gives each channel of a batch a learnt mean and deviation.
#pragma once

#include <cstddef>

#include "tapestry/deeplearning/operations/regularization/batch_norm.hpp"
#include "tapestry/deeplearning/weights.hpp"

namespace tapestry {

/// batchNorm(x, gain, bias, statistics, epsilon).
template <class T = float>
struct BatchNorm {
  Weight<Tensor<T>> gain;
  Weight<Tensor<T>> bias;
  BatchStatistics<T> statistics;
  double epsilon = 1e-5;

  /// Starts with gain 1, bias 0, and running statistics of mean 0 and variance 1, which follow the batches'
  /// statistics with the given momentum.
  explicit BatchNorm(std::size_t channels, double momentum = 0.1)
      : gain(Tensor<T>::full({channels}, 1)),
        bias(Tensor<T>::zeros({channels})),
        statistics{RunningAverage<Tensor<T>>(Tensor<T>::zeros({channels}), momentum),
                   RunningAverage<Tensor<T>>(Tensor<T>::full({channels}, 1), momentum)} {}

  template <detail::TensorOf<T> X>
  auto operator()(const X& x) const {
    return batchNorm(x, gain, bias, statistics, epsilon);
  }
  void operator()(...) const = delete;  // expected a Differentiable tensor of the element type of its weights

  Weights weights() const {
    return {{"gain", gain}, {"bias", bias}, {"mean", statistics.mean}, {"variance", statistics.variance}};
  }
};

}  // namespace tapestry
