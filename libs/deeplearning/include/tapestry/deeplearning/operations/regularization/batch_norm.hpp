// Defines batchNorm, which gives each channel of a batch mean 0 and variance 1.
#pragma once

#include <string_view>

#include "tapestry/deeplearning/detail/channels.hpp"
#include "tapestry/deeplearning/detail/parameters.hpp"
#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/deeplearning/running_average.hpp"

namespace tapestry {

/// The running statistics of `batchNorm`, learnt from the data besides its weights; each is [channels].
template <class T>
struct BatchStatistics {
  RunningAverage<Tensor<T>> mean;
  RunningAverage<Tensor<T>> variance;
};

namespace detail {

/// The rule for shapes: each of the statistics has one value for each channel of x.
struct BatchShapes {
  /// Throws ShapeError unless x has two axes and as many channels as each of the statistics.
  Shape of(std::string_view name, const Shape& x) const;
  /// The cost of forward and backward in ns.
  static float cost(const Shape* x) noexcept { return 300 + (x ? 4 * static_cast<float>(x->size()) : 0); }

  Shape mean;
  Shape variance;
};

/// y = (x - mean) / sqrt(variance + epsilon) for each channel.
template <class T>
struct StandardizeBatch {
  static constexpr std::string_view name = "batchNorm";
  static constexpr Keep kept = Keep::nothing;

  struct Memory {
    Tensor<T> y;
    Tensor<T> scale;          ///< 1 / sqrt(variance + epsilon), per channel
    bool ofTheBatch = false;  ///< whether mean and variance are x's own
  };

  /// Throws ShapeError for a training batch with less than two values in a channel.
  Tensor<T> forward(const Tensor<T>& x, Pass& pass, Memory& memory) const;
  /// dx = scale * (delta - mean(delta) - y * mean(delta * y)), where mean and variance depend on x.
  Tensor<T> derivative(Tensor<T> delta, const Memory& memory) const;

  BatchStatistics<T> statistics;
  double epsilon;
  BatchShapes shapes{*statistics.mean.node()->knownShape(), *statistics.variance.node()->knownShape()};
};

extern template struct StandardizeBatch<float>;
extern template struct StandardizeBatch<double>;

}  // namespace detail

/// y = gain * (x - mean) / sqrt(variance + epsilon) + bias, for each channel of x [N, C, ...], with gain and
/// bias [C]. In Mode::train, mean and variance are those of the batch, and the running statistics follow them
/// when the pass takes its step, the variance in the unbiased form that divides by n - 1; in Mode::predict,
/// mean and variance are the running statistics. Ioffe and Szegedy, "Batch Normalization" (2015), algorithms
/// 1 and 2. ShapeError for another number of channels, and in training for a batch of one value in each
/// channel; std::invalid_argument unless epsilon is finite and at least 0.
template <class T, detail::TensorOf<T> X, detail::TensorOf<T> Gain, detail::TensorOf<T> Bias>
auto batchNorm(const X& x, const Gain& gain, const Bias& bias, const BatchStatistics<T>& statistics,
               double epsilon = 1e-5) {
  detail::requireFactor("batchNorm", "epsilon", epsilon);
  const auto y = detail::operationLayer(detail::StandardizeBatch<T>{statistics, epsilon}, x);
  return detail::shiftChannels<"batchNorm">(detail::scaleChannels<"batchNorm">(y, gain), bias);
}

void batchNorm(...) = delete;  // expected Differentiable tensors of one element type, BatchStatistics

}  // namespace tapestry
