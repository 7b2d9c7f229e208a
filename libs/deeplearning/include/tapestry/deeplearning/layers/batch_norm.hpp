// Defines BatchNorm, the layer that gives each channel of a batch a learnt mean and deviation.
#pragma once

#include <cstddef>

#include "tapestry/deeplearning/detail/elements.hpp"
#include "tapestry/deeplearning/operations/regularization/batch_norm.hpp"
#include "tapestry/deeplearning/weights.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// batchNorm(x, gain, bias, statistics, epsilon). T is the type of the elements, or of tensors:
/// BatchNorm<DeviceTensor<float>>.
template <class T = float>
struct BatchNorm {
  using Values = detail::TensorFor<T>;
  using Element = detail::ElementOf<Values>;

  Weight<Values> gain;
  Weight<Values> bias;
  BatchStatistics<T> statistics;
  double epsilon = 1e-5;

  /// Starts with gain 1, bias 0, and running statistics of mean 0 and variance 1, which follow the batches'
  /// statistics with the given momentum; place(x), a function from tensors of the host to Values, brings all
  /// of them to where the layer computes.
  template <detail::PlaceFor<Values> Place = detail::OnHost>
  explicit BatchNorm(std::size_t channels, double momentum = 0.1, const Place& place = {})
      : gain(place(Tensor<Element>::full({channels}, 1))),
        bias(place(Tensor<Element>::zeros({channels}))),
        statistics{RunningAverage<Values>(place(Tensor<Element>::zeros({channels})), momentum),
                   RunningAverage<Values>(place(Tensor<Element>::full({channels}, 1)), momentum)} {}

  auto operator()(const detail::TensorOf<T> auto& x) const {
    return batchNorm(x, gain, bias, statistics, epsilon);
  }
  void operator()(...) const = delete;  // expected a Differentiable tensor of the element type of its weights

  Weights weights() const {
    return {{"gain", gain}, {"bias", bias}, {"mean", statistics.mean}, {"variance", statistics.variance}};
  }
};

}  // namespace tapestry
#pragma GCC visibility pop
