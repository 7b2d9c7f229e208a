#include <tapestry/tensor/kernels/softmax.hpp>

#include <stdexcept>
#include <string>

#include <tapestry/tensor/shape_error.hpp>

#include "kernels/rows/row_loops.hpp"

#pragma GCC visibility push(default)
namespace tapestry::kernels {

namespace {

struct Rows {
  std::size_t count;
  std::size_t length;
  Shape perRow;
};

Rows rowsOf(std::string_view operation, const Shape& logits) {
  if (logits.rank() == 1) return {1, logits[0], {}};
  if (logits.rank() == 2) return {logits[0], logits[1], {logits[0]}};
  throw ShapeError(operation, "logits of the wrong rank", toString(logits), "[C] or [B, C]");
}

void requireLabels(const Rows& rows, Labels labels) {
  if (labels.size() != rows.count)
    throw ShapeError("softmaxCrossEntropy", "the number of labels differs from the number of rows",
                     std::to_string(labels.size()), std::to_string(rows.count));
  for (std::size_t row = 0; row < labels.size(); ++row)
    if (labels[row] >= rows.length)
      throw std::out_of_range("tapestry::softmaxCrossEntropy: label out of range, got " +
                              std::to_string(labels[row]) + " in row " + std::to_string(row) +
                              ", expected a label below " + std::to_string(rows.length));
}

}  // namespace

void requireLabels(const Shape& logits, Labels labels) {
  requireLabels(rowsOf("softmaxCrossEntropy", logits), labels);
}

template <class T>
Tensor<T> crossEntropyRows(const Tensor<T>& logits, Labels labels) {
  const Rows rows = rowsOf("softmaxCrossEntropy", logits.shape());
  requireLabels(rows, labels);
  auto result = Tensor<T>::uninitialized(rows.perRow);
  rowLoops<T>().crossEntropy(logits.data(), rows.count, rows.length, labels.data(), result.exclusiveData());
  return result;
}

template <class T>
Tensor<T> crossEntropyRowsDerivative(const Tensor<T>& delta, const Tensor<T>& logits, Labels labels) {
  const Rows rows = rowsOf("softmaxCrossEntropy", logits.shape());
  requireLabels(rows, labels);
  if (delta.shape() != rows.perRow)
    throw ShapeError("softmaxCrossEntropy", "a delta of the wrong shape", toString(delta.shape()),
                     toString(rows.perRow));
  auto result = Tensor<T>::uninitialized(logits.shape());
  rowLoops<T>().crossEntropyDerivative(delta.data(), logits.data(), rows.count, rows.length, labels.data(),
                                       result.exclusiveData());
  return result;
}

#define TAPESTRY_INSTANTIATE(T)                                  \
  template Tensor<T> crossEntropyRows(const Tensor<T>&, Labels); \
  template Tensor<T> crossEntropyRowsDerivative(const Tensor<T>&, const Tensor<T>&, Labels);
TAPESTRY_INSTANTIATE(float)
TAPESTRY_INSTANTIATE(double)
#undef TAPESTRY_INSTANTIATE

}  // namespace tapestry::kernels
#pragma GCC visibility pop
