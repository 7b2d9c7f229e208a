// Defines accuracy, the share of examples whose largest score is that of their class.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "tapestry/deeplearning/operations/reduction/argmax.hpp"
#include "tapestry/tensor/shape_error.hpp"
#include "tapestry/tensor/tensor.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// Returns the share, from 0 to 1, of the rows of `scores` [examples, classes] whose first largest score has
/// the index `labels[row]`; a row with a NaN counts as wrong. It takes data, such as
/// predict(network(x)).blockingAwait() returns. Throws ShapeError unless there is a label for each row, and
/// at least one row. O(examples * classes).
template <class T>
double accuracy(const Tensor<T>& scores, std::span<const std::uint32_t> labels) {
  if (scores.rank() != 2 || labels.empty() || scores.shape()[0] != labels.size())
    throw ShapeError("accuracy", "scores and labels do not fit each other",
                     toString(scores.shape()) + " and " + std::to_string(labels.size()) + " labels",
                     "[examples, classes] and a label for each example");
  const Indices best = argmax(scores, 1);
  std::size_t right = 0;
  for (std::size_t row = 0; row < labels.size(); ++row) {
    const auto index = best.values()[row];
    const T score = scores.data()[row * scores.shape()[1] + static_cast<std::size_t>(index)];
    right += score == score && index == static_cast<std::int64_t>(labels[row]);
  }
  return static_cast<double>(right) / static_cast<double>(labels.size());
}

void accuracy(...) =
    delete;  // expected a Tensor of scores, [examples, classes], and a label for each example

}  // namespace tapestry
#pragma GCC visibility pop
