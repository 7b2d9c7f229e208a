// Defines ScalarChain, SmallChain and LstmWork, what the rows scalar_*, small_* and lstm_* differentiate:
// many small operations.
#pragma once

#include <tapestry/deeplearning/initializers.hpp>

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

/// An LSTM of 64 units and inputs over 100 steps, batch 1, forward and backward, ten times; the result is the
/// sum of the last hidden state and of its derivatives with respect to the recurrent weight.
struct LstmWork {
  static constexpr std::size_t units = 64;
  static constexpr std::size_t steps = 100;
  static constexpr int passes = 10;

  Generator generator{1};
  Tensor<float> xs = normal({steps, 1, units}, 0, 1, generator);
  Tensor<float> input = glorotUniform({units, 4 * units}, generator);
  Tensor<float> recurrent = glorotUniform({units, 4 * units}, generator);
  Tensor<float> bias = normal({4 * units}, 0, 1, generator);
};

}  // namespace tapestry::benchmarks
