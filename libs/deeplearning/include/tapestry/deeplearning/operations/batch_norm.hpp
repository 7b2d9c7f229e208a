// Defines batchNorm, which gives each channel of a batch mean 0 and variance 1.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tapestry/deeplearning/detail/run_pass.hpp"
#include "tapestry/deeplearning/operations/add.hpp"
#include "tapestry/deeplearning/operations/divide.hpp"
#include "tapestry/deeplearning/operations/mean.hpp"
#include "tapestry/deeplearning/operations/multiply.hpp"
#include "tapestry/deeplearning/operations/reshape.hpp"
#include "tapestry/deeplearning/operations/sqrt.hpp"
#include "tapestry/deeplearning/operations/subtract.hpp"
#include "tapestry/deeplearning/running_average.hpp"
#include "tapestry/deeplearning/shape_error.hpp"

namespace tapestry {

/// What `batchNorm` has learnt of the data besides its weights, each [channels].
template <class T>
struct BatchStatistics {
  RunningAverage<Tensor<T>> mean;
  RunningAverage<Tensor<T>> variance;
};

namespace detail {

/// How one batch is seen: [N, C, ...] has all axes but the second for each channel.
struct Channels {
  Axes others;         ///< the axes that are not that of the channels
  Shape broadcast;     ///< [C, 1, ...], for what is per channel
  std::size_t values;  ///< in each channel
};

/// Throws ShapeError unless the statistics are one for each channel, and there are two axes.
Channels channelsOf(const Shape& x, const Shape& statistics);

/// Throws ShapeError for less than two values in a channel, which have no variance.
void requireVariance(const Channels& channels, const Shape& x);

/// The two statistics of a batch, noted for the running ones: the variance as one estimates that of all data
/// from a sample, by dividing by n - 1.
template <class T, class Mean, class Variance>
Do<void> observeBatch(const BatchStatistics<T>& statistics, const Channels& channels, const Mean& mean,
                      const Variance& variance) {
  const auto n = static_cast<T>(channels.values);
  return forward(mean).flatMap([=](const auto& meanTape) {
    return forward(variance).flatMap([=, m = meanTape.data](const auto& varianceTape) {
      const Shape each{channels.broadcast[0]};
      const auto unbiased = kernels::scale(varianceTape.data, n / (n - 1));
      return statistics.mean.observe(m.reshape(each)).flatMap([=] {
        return statistics.variance.observe(unbiased.reshape(each));
      });
    });
  });
}

}  // namespace detail

/// y = gain * (x - mean) / sqrt(variance + epsilon) + bias, for each channel of x [N, C, ...], with gain and
/// bias [C]. In Mode::train, mean and variance are those of the batch, and the running statistics follow them
/// when the pass takes its step; in Mode::predict they are the running ones. Ioffe and Szegedy, "Batch
/// Normalization" (2015), algorithms 1 and 2. ShapeError for statistics of another number of channels, and in
/// training for a batch of one value in each channel.
template <Differentiable X, Differentiable Gain, Differentiable Bias, class T>
  requires detail::isTensor<DataOf<X>>
Layer<Tensor<T>> batchNorm(const X& x, const Gain& gain, const Bias& bias,
                           const BatchStatistics<T>& statistics, double epsilon = 1e-5) {
  if (const Shape* known = nodeOf(x)->knownShape())
    detail::channelsOf(*known, statistics.mean.data().shape());
  const auto normalised = [=](const detail::Channels& channels, const auto& distance, const auto& variance) {
    const auto deviation = sqrt(variance + static_cast<T>(epsilon));
    return distance / deviation * reshape(gain, channels.broadcast) + reshape(bias, channels.broadcast);
  };
  return Layer<Tensor<T>>(detail::currentPass().flatMap([=](const detail::Ref<detail::Pass>& pass) {
    return forward(x).flatMap([=, mode = pass->mode()](const auto& tape) {
      using Result = Do<std::remove_cvref_t<decltype(tape)>>;
      const auto channels = detail::channelsOf(tape.data.shape(), statistics.mean.data().shape());
      if (mode == Mode::predict)
        return statistics.mean.read().flatMap([=](const Tensor<T>& mean) {
          return statistics.variance.read().flatMap([=](const Tensor<T>& variance) -> Result {
            return forward(normalised(channels, x - Layer<Tensor<T>>(mean.reshape(channels.broadcast)),
                                      Layer<Tensor<T>>(variance.reshape(channels.broadcast))));
          });
        });
      detail::requireVariance(channels, tape.data.shape());
      const auto mean = tapestry::mean(x, channels.others, true);
      const auto distance = x - mean;
      const auto variance = tapestry::mean(distance * distance, channels.others, true);
      return detail::observeBatch(statistics, channels, mean, variance).flatMap([=]() -> Result {
        return forward(normalised(channels, distance, variance));
      });
    });
  }));
}

}  // namespace tapestry
