// Defines PaperWork, what the rows paper_* train: the network of the paper's evaluation.
#pragma once

#include <cstddef>
#include <vector>

#include "support/class_batches.hpp"

namespace tapestry::benchmarks {

/// A step of gradient descent on each mini-batch, one after the other; the result is the loss of the last.
struct PaperWork {
  static constexpr std::size_t batchSize = 16;
  static constexpr long steps = 100;
  static constexpr double learningRate = 0.01;

  std::size_t columns;
  bool skip;  ///< train the matching fine classifier alone; else the other 19 as well, with factor 0
  std::vector<Tensor<float>> weights;  ///< at the start, in the order of ColumnNetwork::weights()
  const std::vector<examples::ClassBatches::Batch>& batches;
};

/// Made when it is asked for first, and kept.
const PaperWork& paperWork(std::size_t columns, bool skip);

}  // namespace tapestry::benchmarks
