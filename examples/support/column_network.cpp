#include "support/column_network.hpp"

#include <utility>

namespace tapestry::examples {
namespace {

constexpr std::size_t width = 64;

Dense<> rectified(std::size_t inputs, Generator& generator) {
  return Dense<>(heNormal({inputs, width}, generator));
}

std::size_t indexOfLargest(const Tensor<float>& logits) {
  return static_cast<std::size_t>(argmax(logits, -1).values()[0]);
}

}  // namespace

ColumnNetwork::ColumnNetwork(std::size_t columns, std::uint64_t seed)
    : ColumnNetwork(columns, Generator(seed)) {}

ColumnNetwork::ColumnNetwork(std::size_t columns, Generator generator)
    : coarse_(width, ClassImages::coarseClasses, generator) {
  while (columns_.size() < columns) {
    const Dense<> first = rectified(Cifar::imageSize, generator);
    const Dense<> second = rectified(width, generator);
    columns_.push_back(sequential(first, operations::relu, second, operations::relu));
  }
  while (fine_.size() < ClassImages::coarseClasses) {
    const Dense<> first = rectified(width, generator);
    const Dense<> second = rectified(width, generator);
    const Dense<> third(width, ClassImages::fineClasses, generator);
    fine_.push_back(sequential(first, operations::relu, second, operations::relu, third));
  }
}

// [columns]
TensorLayer ColumnNetwork::features(const Tensor<float>& images) const {
  std::vector<TensorLayer> columns;
  for (const Column& column : columns_) columns.push_back(column(images));
  return sum(columns);
}
// [/columns]

// [fine]
TensorLayer ColumnNetwork::fineLogits(const TensorLayer& features, const Do<std::size_t>& coarseClass) const {
  return TensorLayer(coarseClass.flatMap([this, features](std::size_t chosen) {
    if (onChosen) onChosen(chosen);
    return forward(fine_[chosen](features));
  }));
}
// [/fine]

// [loss]
DoubleLayer ColumnNetwork::loss(const ClassBatches::Batch& batch, bool skip) const {
  const TensorLayer shared = features(batch.images);
  const std::vector<std::uint32_t> coarse(batch.fine.size(), static_cast<std::uint32_t>(batch.coarse));
  std::vector<DoubleLayer> losses{softmaxCrossEntropy(coarseLogits(shared), coarse)};
  if (skip)
    losses.push_back(softmaxCrossEntropy(fineLogits(shared, Do<std::size_t>::now(batch.coarse)), batch.fine));
  else
    for (std::size_t i = 0; i < fine_.size(); ++i)
      losses.push_back(softmaxCrossEntropy(fine_[i](shared), batch.fine) * (i == batch.coarse ? 1.0 : 0.0));
  return sum(losses);
}
// [/loss]

// [predictions]
Do<std::vector<ColumnNetwork::Prediction>> ColumnNetwork::predictions(
    const std::vector<Tensor<float>>& images) const {
  std::vector<std::pair<TensorLayer, TensorLayer>> logits;
  for (const auto& image : images) {
    const TensorLayer shared = features(image);
    const TensorLayer coarse = coarseLogits(shared);
    const auto chosen = forward(coarse).map([](const auto& tape) { return indexOfLargest(tape.data); });
    logits.emplace_back(coarse, fineLogits(shared, chosen));
  }
  return predict(logits).map([](const auto& values) {
    std::vector<Prediction> result;
    for (const auto& [coarse, fine] : values)
      result.push_back({indexOfLargest(coarse), indexOfLargest(fine)});
    return result;
  });
}
// [/predictions]

}  // namespace tapestry::examples
