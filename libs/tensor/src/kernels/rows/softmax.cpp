#include <tapestry/tensor/kernels/softmax.hpp>

#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include <tapestry/tensor/shape_error.hpp>

#include "kernels/elementwise/binary_loops.hpp"
#include "kernels/rows/row_loops.hpp"
#include "kernels/target.hpp"

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
Tensor<T> logSumExpRows(const Tensor<T>& logits) {
  const Rows rows = rowsOf("logSumExp", logits.shape());
  auto result = Tensor<T>::uninitialized(rows.perRow);
  T* const out = result.exclusiveData();
  for (std::size_t i = 0; i < rows.count; ++i) {
    const T* const row = logits.data() + i * rows.length;
    const T shift = rowLoops<T>().shift(row, rows.length);
    out[i] = shift + std::log(rowLoops<T>().sumExp(row, rows.length, shift));
  }
  return result;
}

template <class T>
Tensor<T> softmaxRows(Tensor<T> logits) {
  const Rows rows = rowsOf("softmax", logits.shape());
  const T* row = logits.data();
  Tensor<T> result = targetFor(std::move(logits));
  T* out = result.exclusiveData();
  for (std::size_t i = 0; i < rows.count; ++i, row += rows.length, out += rows.length) {
    const T total = rowLoops<T>().exps(row, rows.length, rowLoops<T>().shift(row, rows.length), out);
    binaryLoops<T>().multiply.scalarRight(out, weightOf(T{1}, total), rows.length, out);
  }
  return result;
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
  template Tensor<T> logSumExpRows(const Tensor<T>&);            \
  template Tensor<T> softmaxRows(Tensor<T>);                     \
  template Tensor<T> crossEntropyRows(const Tensor<T>&, Labels); \
  template Tensor<T> crossEntropyRowsDerivative(const Tensor<T>&, const Tensor<T>&, Labels);
TAPESTRY_INSTANTIATE(float)
TAPESTRY_INSTANTIATE(double)
#undef TAPESTRY_INSTANTIATE

}  // namespace tapestry::kernels
#pragma GCC visibility pop
