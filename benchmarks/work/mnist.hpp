// Defines MnistWork, what the rows mnist_* train: a network of 784-256-100-10 on handwritten digits.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "support/digit_batches.hpp"

namespace tapestry::benchmarks {

/// One epoch of Adam, on the digits of MNIST, or as many drawn.
class MnistWork {
 public:
  using Batch = examples::DigitBatches::Batch;
  static constexpr double learningRate = 0.002;

  /// Whether each batch is made once and kept, so that training is all that is timed, or whenever it is asked
  /// for, as in a program that is to be small.
  enum class Batches { kept, made };

  MnistWork(std::size_t batchSize, Batches batches);

  std::size_t size() const { return epoch_.size(); }
  Batch get(std::size_t index) const { return kept_.empty() ? epoch_.get(index) : kept_[index]; }

  std::vector<Tensor<float>> weights;  ///< at the start: a weight and a bias for each of three layers

 private:
  std::shared_ptr<const examples::Digits> digits_;
  examples::DigitBatches::Epoch epoch_;
  std::vector<Batch> kept_;
};

}  // namespace tapestry::benchmarks
