// Defines softmaxCrossEntropy, a loss and its derivative in one pass.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tapestry::benchmarks::hand {

/// The mean loss of the rows of logits; `labelOf(row)` is the class of one. `delta` becomes the derivative of
/// `factor` times it.
template <class LabelOf>
double softmaxCrossEntropy(const float* logits, std::size_t rows, std::size_t classes, const LabelOf& labelOf,
                           float factor, float* delta) {
  double loss = 0;
  for (std::size_t row = 0; row < rows; ++row, logits += classes, delta += classes) {
    const float largest = *std::max_element(logits, logits + classes);
    float sum = 0;
    for (std::size_t i = 0; i < classes; ++i) sum += delta[i] = std::exp(logits[i] - largest);
    const std::size_t label = labelOf(row);
    loss += std::log(sum) + largest - logits[label];
    const float share = factor / static_cast<float>(rows);
    for (std::size_t i = 0; i < classes; ++i) delta[i] *= share / sum;
    delta[label] -= share;
  }
  return loss / static_cast<double>(rows);
}

}  // namespace tapestry::benchmarks::hand
