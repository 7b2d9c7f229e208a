// Defines the initialisers, which draw the first values of weights: uniform, normal, Glorot's, He's and
// orthogonal.
#pragma once

#include <concepts>
#include <cstddef>
#include <random>

#include "tapestry/tensor/tensor.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

template <class T>
concept TensorElement = std::same_as<T, float> || std::same_as<T, double>;

}  // namespace detail

/// The generator that initialisers draw from. The same seed gives the same weights with every standard
/// library.
using Generator = std::mt19937_64;

/// The number of inputs that one output of a weight depends on, and the reverse: the extents of a matrix [in,
/// out], as in x · W; for filters [out, in, ...], as in conv2d, these extents times the size of the rest.
struct Fans {
  std::size_t in;
  std::size_t out;
};

/// Throws ShapeError for less than two axes.
Fans fansOf(const Shape& shape);

/// Draws uniformly from [low, high). Throws std::invalid_argument unless low <= high, and both and their
/// distance are finite.
template <detail::TensorElement T = float>
Tensor<T> uniform(const Shape& shape, double low, double high, Generator& generator);

/// Draws from a normal distribution. Throws std::invalid_argument unless both are finite, and the deviation
/// is at least 0.
template <detail::TensorElement T = float>
Tensor<T> normal(const Shape& shape, double mean, double deviation, Generator& generator);

/// Draw with variance gain² · 2 / (in + out), for layers followed by tanh, sigmoid or no activation: Glorot
/// and Bengio, "Understanding the difficulty of training deep feedforward neural networks" (2010), equation
/// 16. The sign of the gain does not matter; throw std::invalid_argument unless gain and bounds are finite.
template <detail::TensorElement T = float>
Tensor<T> glorotUniform(const Shape& shape, Generator& generator, double gain = 1);
template <detail::TensorElement T = float>
Tensor<T> glorotNormal(const Shape& shape, Generator& generator, double gain = 1);

/// Draw with variance 2 / in, for layers followed by relu: He et al., "Delving Deep into Rectifiers" (2015),
/// equation 10.
template <detail::TensorElement T = float>
Tensor<T> heUniform(const Shape& shape, Generator& generator);
template <detail::TensorElement T = float>
Tensor<T> heNormal(const Shape& shape, Generator& generator);

/// Draws a matrix whose rows, or columns if there are fewer of them, are orthogonal to each other and have
/// length `gain`; axes after the first count as one. Saxe, McClelland and Ganguli, "Exact solutions to the
/// nonlinear dynamics of learning in deep linear neural networks" (2014). Cost: O(larger · smaller²).
template <detail::TensorElement T = float>
Tensor<T> orthogonal(const Shape& shape, Generator& generator, double gain = 1);

}  // namespace tapestry
#pragma GCC visibility pop
