// Defines the cross entropy of the rows of a tensor of logits, which is inf where the element type cannot
// hold it, else finite for finite logits.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include <tapestry/tensor/attachments.hpp>
#include <tapestry/tensor/kernels/own_kernels.hpp>
#include <tapestry/tensor/tensor.hpp>

#pragma GCC visibility push(default)
namespace tapestry::kernels {

// Rows lie along the last axis. Logits are one row [C] or a batch of rows [B, C], else ShapeError is thrown.

/// Class indices of rows, a view. Another library keeps its copy of them in the attachments, if the caller
/// has some that live as long as the indices.
struct Labels : std::span<const std::uint32_t> {
  using Values = std::span<const std::uint32_t>;
  using Values::Values;
  Labels(Values values, const Attachments& kept) noexcept : Values(values), attachments(&kept) {}

  const Attachments* attachments = nullptr;
};

/// Throws ShapeError unless there is one label per row, and std::out_of_range for a label that is not below
/// C.
void requireLabels(const Shape& logits, Labels labels);

/// logSumExp(row) - row[label] of each row: [B, C] -> [B], [C] -> []. Throws as requireLabels does.
template <class T>
Tensor<T> crossEntropyRows(const Tensor<T>& logits, Labels labels);

/// Returns the delta of the logits, delta[row] * (softmax(row) - oneHot(label)), given the delta of
/// crossEntropyRows, [B] or [].
template <class T>
Tensor<T> crossEntropyRowsDerivative(const Tensor<T>& delta, const Tensor<T>& logits, Labels labels);

TAPESTRY_OWN_KERNEL(crossEntropyRows, (const X& logits, Labels labels), (logits, labels))
TAPESTRY_OWN_KERNEL(crossEntropyRowsDerivative, (const X& delta, const X& logits, Labels labels),
                    (delta, logits, labels))

}  // namespace tapestry::kernels
#pragma GCC visibility pop
