// Defines ScalarChain and SmallChain, what the rows scalar_* and small_* differentiate: long chains of small
// operations.
#pragma once

#include <tapestry/tensor/tensor.hpp>

#include <cstddef>

namespace tapestry::benchmarks {

/// x = x * w + b in double, so many times, forward and backward; the result is the last x and its derivatives
/// with respect to w and b, added up.
struct ScalarChain {
  int links = 500;
  int chains = 20;

  long operations() const { return 2L * links * chains; }
  static constexpr double start = 2, w = 0.5, b = 0.25;
};

/// x = tanh(x * w + b) for 64 numbers, element by element; the result is the sum of the last x and of its
/// derivatives with respect to w and b.
struct SmallChain {
  int links = 300;
  int chains = 20;

  long operations() const { return 3L * links * chains; }

  Tensor<float> start = Tensor<float>::full({1, 64}, 0.5F);
  Tensor<float> w = Tensor<float>::full({1, 64}, 0.5F);
  Tensor<float> b = Tensor<float>::full({1, 64}, 0.25F);
};

}  // namespace tapestry::benchmarks
