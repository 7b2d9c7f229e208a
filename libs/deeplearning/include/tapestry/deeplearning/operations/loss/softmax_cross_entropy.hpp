// Defines softmaxCrossEntropy, the loss of a classifier.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "tapestry/deeplearning/extend/node_details.hpp"
#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/tensor/kernels/reduction.hpp"
#include "tapestry/tensor/kernels/softmax.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

/// The labels of a batch, which copies of an operation share, with their copy on a device.
struct BatchLabels {
  explicit BatchLabels(std::vector<std::uint32_t> all) noexcept : values(std::move(all)) {}
  kernels::Labels view() const noexcept { return {values, attachments}; }

  const std::vector<std::uint32_t> values;
  const Attachments attachments;
};

struct LabelledRows : ToScalar {
  extend::Attributes attributes() const { return {{"labels", Indices(extend::integersOf(labels->values))}}; }
  std::shared_ptr<const BatchLabels> labels;
};

}  // namespace detail

/// The mean over rows of logSumExp(row) - row[label], a double, or of logits of another library a tensor of
/// rank 0; its derivative is (softmax(row) - oneHot(label)) / rows. Logits are [C] with one label, or [B, C]
/// with B labels. Finite for all finite logits, unless the element type cannot hold a term or the sum of the
/// terms: then it is inf. Throws ShapeError for other shapes, std::out_of_range for a label that is not less
/// than C; if the shape is not known yet, the evaluation fails with these errors.
template <NumericTensor Logits>
auto softmaxCrossEntropy(const Logits& logits, std::vector<std::uint32_t> labels) {
  if constexpr (!isLiteral<Logits>)
    if (const Shape* shape = nodeOf(logits)->knownShape()) kernels::requireLabels(*shape, labels);
  const auto shared = std::make_shared<const detail::BatchLabels>(std::move(labels));
  return unaryOperation<"softmaxCrossEntropy", Keep::operands>(
      [shared](const auto& x) {
        return detail::lossOf(kernels::mean(kernels::crossEntropyRows(x, shared->view())));
      },
      [shared](const auto& delta, const auto& x) {
        const Shape rows = x.rank() == 2 ? Shape{x.shape()[0]} : Shape{};
        const auto each = detail::spreadLike(x, detail::shareOf(delta, rows.size()), rows);
        return kernels::crossEntropyRowsDerivative(each, x, shared->view());
      },
      detail::LabelledRows{{}, shared})(logits);
}

auto softmaxCrossEntropy(const NumericTensor auto& logits, std::uint32_t label) {
  return softmaxCrossEntropy(logits, std::vector{label});
}

void softmaxCrossEntropy(  // expected logits and std::vector<std::uint32_t>; crossEntropy takes probabilities
    ...) = delete;

}  // namespace tapestry
#pragma GCC visibility pop
