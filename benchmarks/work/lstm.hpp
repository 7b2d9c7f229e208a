// Defines LstmWork, what the rows lstm_* differentiate: an LSTM over a sequence.
#pragma once

#include <tapestry/deeplearning/initializers.hpp>

#include <cstddef>

namespace tapestry::benchmarks {

/// 64 units and inputs, 100 steps, batch 1, forward and backward, ten times; the result is the sum of the
/// last hidden state and of its derivatives with respect to the recurrent weight.
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
