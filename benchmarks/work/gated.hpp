// Defines GatedWork, what the rows digits_* train and predict_* ask: the paper's gated network.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "support/gated_network.hpp"
#include "work/weights.hpp"

namespace tapestry::benchmarks {

/// An epoch of Adam in mini-batches, each image of which goes its own way through the network.
struct GatedWork {
  static constexpr std::size_t images = 6'000;
  static constexpr std::size_t batchSize = 64;
  static constexpr std::size_t predicted = 1'000;  ///< images, one at a time
  static constexpr double learningRate = 0.006;    ///< of the experts; the gate's is a 20th

  std::vector<Tensor<float>> pixels;  ///< [784] each
  std::vector<std::uint32_t> labels;
  std::vector<Tensor<float>> weights;  ///< at the start, in the order of `GatedNetwork::weights`

  GatedWork();
};

}  // namespace tapestry::benchmarks
