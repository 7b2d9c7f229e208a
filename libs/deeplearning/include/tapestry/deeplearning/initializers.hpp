// Defines the initialisers, which draw the first values of weights: uniform, normal, Glorot's, He's and
// orthogonal ones.
#pragma once

#include <cstddef>
#include <random>

#include "tapestry/tensor/tensor.hpp"

namespace tapestry {

/// What initialisers draw from. The same seed gives the same weights with every standard library.
using Generator = std::mt19937_64;

/// How many inputs one output of a weight depends on, and the reverse: of a matrix [in, out], as in x · W,
/// its extents; of filters [out, in, ...], as in conv2d, those times the size of the rest.
struct Fans {
  std::size_t in;
  std::size_t out;
};

/// Throws ShapeError for less than two axes.
Fans fansOf(const Shape& shape);

/// Evenly from [low, high). Throws std::invalid_argument unless low <= high, both finite.
template <class T = float>
Tensor<T> uniform(const Shape& shape, double low, double high, Generator& generator);

/// Normally distributed. Throws std::invalid_argument unless both are finite, and the deviation is at least
/// 0.
template <class T = float>
Tensor<T> normal(const Shape& shape, double mean, double deviation, Generator& generator);

/// Of variance gain² · 2 / (in + out), for layers with tanh, sigmoid or nothing behind them: Glorot and
/// Bengio, "Understanding the difficulty of training deep feedforward neural networks" (2010), equation 16.
template <class T = float>
Tensor<T> glorotUniform(const Shape& shape, Generator& generator, double gain = 1);
template <class T = float>
Tensor<T> glorotNormal(const Shape& shape, Generator& generator, double gain = 1);

/// Of variance 2 / in, for layers with relu behind them: He et al., "Delving Deep into Rectifiers" (2015),
/// equation 10.
template <class T = float>
Tensor<T> heUniform(const Shape& shape, Generator& generator);
template <class T = float>
Tensor<T> heNormal(const Shape& shape, Generator& generator);

/// Rows, or columns if there are fewer of them, that are orthogonal to each other and of length `gain`; axes
/// after the first count as one. Saxe, McClelland and Ganguli, "Exact solutions to the nonlinear dynamics of
/// learning in deep linear neural networks" (2014). Cost: O(larger · smaller²).
template <class T = float>
Tensor<T> orthogonal(const Shape& shape, Generator& generator, double gain = 1);

}  // namespace tapestry
