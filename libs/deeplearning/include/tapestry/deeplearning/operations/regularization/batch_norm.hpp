// Defines batchNorm, which gives each channel of a batch mean 0 and variance 1.
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>

#include "tapestry/deeplearning/detail/channels.hpp"
#include "tapestry/deeplearning/detail/parameters.hpp"
#include "tapestry/deeplearning/running_average.hpp"
#include "tapestry/tensor/kernels/elementwise.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// The running statistics of `batchNorm`, learnt from the data besides its weights; each is [channels]. T is
/// the type of the elements, or of tensors.
template <class T>
struct BatchStatistics {
  using Values = detail::TensorFor<T>;
  RunningAverage<Values> mean;
  RunningAverage<Values> variance;
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

/// Throws ShapeError for a training batch x with less than two values in a channel.
void requireVariance(const Channels& channels, const Shape& x);

/// The state of a running average in the pass: its value, and its place for observations.
template <class X>
auto& averageIn(Pass& pass, const RunningAverage<X>& average) {
  return static_cast<TypedState<X, Observations<X>>&>(average.node()->stateIn(pass));
}

template <class X>
void observeIn(Pass& pass, const RunningAverage<X>& average, const X& value) {
  auto& state = averageIn(pass, average);
  if (state.wantsDelta) state.accept({value});
}

/// y = (x - mean) / sqrt(variance + epsilon) for each channel.
template <class T>
struct StandardizeBatch {
  using X = TensorFor<T>;
  using Element = ElementOf<X>;
  static constexpr std::string_view name = "batchNorm";
  static constexpr Keep kept = Keep::nothing;

  struct Memory {
    X y;
    X scale;                  ///< 1 / sqrt(variance + epsilon), per channel
    bool ofTheBatch = false;  ///< whether mean and variance are x's own
  };

  X forward(const X& x, Pass& pass, Memory& memory) const {
    const auto channels = channelsOf(name, shapes.of(name, x.shape()), shapes.mean, "running mean");
    if (pass.mode() == Mode::predict) {
      const X& mean = *averageIn(pass, statistics.mean).data;
      standardize(kernels::subtract(x, mean.reshape(channels.broadcast)),
                  *averageIn(pass, statistics.variance).data, channels, memory);
      return memory.y;
    }
    requireVariance(channels, x.shape());
    const X mean = kernels::mean(x, channels.others, false);
    const X distance = kernels::subtract(x, mean.reshape(channels.broadcast));
    const X variance = kernels::mean(kernels::multiply(distance, distance), channels.others, false);
    const auto n = static_cast<Element>(channels.values);
    observeIn(pass, statistics.mean, mean);
    observeIn(pass, statistics.variance, kernels::scale(variance, n / (n - 1)));
    standardize(distance, variance, channels, memory);
    memory.ofTheBatch = true;
    return memory.y;
  }

  /// dx = scale * (delta - mean(delta) - y * mean(delta * y)), where mean and variance depend on x.
  X derivative(X delta, const Memory& memory) const {
    if (!memory.ofTheBatch) return kernels::multiply(std::move(delta), memory.scale);
    const auto channels = channelsOf(name, delta.shape(), shapes.mean, "running mean");
    const auto mean = [&](const X& value) {
      return kernels::mean(value, channels.others, false).reshape(channels.broadcast);
    };
    const X along = kernels::multiply(memory.y, mean(kernels::multiply(delta, memory.y)));
    const X shift = mean(delta);
    return kernels::multiply(kernels::subtract(kernels::subtract(std::move(delta), shift), along),
                             memory.scale);
  }

  /// The running statistics are those of this moment, and are listed if they are tensors of the host.
  extend::Attributes attributes() const {
    extend::Attributes attributes{{"part", std::string("standardize")},
                                  {"epsilon", epsilon},
                                  {"momentum", statistics.mean.node()->momentum()}};
    if constexpr (isHostTensor<X>) {
      attributes.emplace_back("mean", statistics.mean.node()->read());
      attributes.emplace_back("variance", statistics.variance.node()->read());
    }
    return attributes;
  }

  BatchStatistics<T> statistics;
  double epsilon;
  BatchShapes shapes{*statistics.mean.node()->knownShape(), *statistics.variance.node()->knownShape()};

 private:
  void standardize(const X& distance, const X& variance, const Channels& channels, Memory& memory) const {
    const X deviation = kernels::sqrt(kernels::add(variance, static_cast<Element>(epsilon)));
    memory.scale = kernels::divide(Element(1), deviation).reshape(channels.broadcast);
    memory.y = kernels::multiply(distance, memory.scale);
  }
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
#pragma GCC visibility pop
