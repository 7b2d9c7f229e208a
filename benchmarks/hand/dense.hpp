// Defines Dense, a dense layer with the step of gradient descent built in.
#pragma once

#include <cstddef>
#include <vector>

#include "hand/division.hpp"
#include "hand/product.hpp"

namespace tapestry::benchmarks::hand {

/// y = x·W + b for `batch` rows, with a rectifier behind it or not.
class Dense {
 public:
  struct Extents {
    std::size_t batch, inputs, outputs;
  };
  enum class Activation { none, relu };
  /// Whether the derivative with respect to x is written, added or not computed.
  enum class Below { none, write, add };

  /// Large products are divided if the division says so; then OpenBLAS multiplies.
  Dense(const Extents& extents, Activation activation, Below below, double learningRate, Library library,
        Division division = Division::none);

  void setWeights(const float* weight, const float* bias);

  const float* forward(const float* x);

  /// `delta` [batch, outputs] is the derivative with respect to y; afterwards it holds the derivative with
  /// respect to x·W + b. `below` decides the contents of `dx`. Then the weights take their step.
  void backward(const float* x, float* delta, float* dx);

  const float* output() const { return output_.data(); }

 private:
  void maskByOutput(float* delta) const;

  const Extents extents_;
  const Activation activation_;
  const Below below_;
  const float learningRate_;
  const Product multiply_, multiplyBack_, step_;
  std::vector<float> weight_, bias_, output_;
};

}  // namespace tapestry::benchmarks::hand
