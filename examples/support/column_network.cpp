#include "support/column_network.hpp"

#include <tuple>
#include <utility>

#include "support/index_of_largest.hpp"

namespace tapestry::examples {
namespace {

constexpr std::size_t width = 64;

template <class Place>
Dense<typename Place::Values> rectified(std::size_t inputs, Generator& generator, const Place& place) {
  return Dense<typename Place::Values>(place(heNormal({inputs, width}, generator)));
}

}  // namespace

template <class Place>
ColumnNetworkAt<Place>::ColumnNetworkAt(std::size_t columns, Generator generator, const Place& place)
    : place_(place), coarse_(width, ClassImages::coarseClasses, generator, place) {
  while (columns_.size() < columns) {
    const auto first = rectified(Cifar::imageSize, generator, place);
    const auto second = rectified(width, generator, place);
    columns_.push_back(sequential(first, operations::relu, second, operations::relu));
  }
  while (fine_.size() < ClassImages::coarseClasses) {
    const auto first = rectified(width, generator, place);
    const auto second = rectified(width, generator, place);
    const Dense<Values> third(width, ClassImages::fineClasses, generator, place);
    fine_.push_back(sequential(first, operations::relu, second, operations::relu, third));
  }
}

// [columns]
template <class Place>
auto ColumnNetworkAt<Place>::features(const Tensor<float>& images) const -> Layer<Values> {
  const Values placed = place_(images);
  std::vector<Layer<Values>> columns;
  for (const Column& column : columns_) columns.push_back(column(placed));
  return sum(columns);
}
// [/columns]

// [fine]
template <class Place>
auto ColumnNetworkAt<Place>::fineLogits(const Layer<Values>& features,
                                        const Do<std::size_t>& coarseClass) const -> Layer<Values> {
  return Layer<Values>(coarseClass.flatMap([this, features](std::size_t chosen) {
    if (onChosen) onChosen(chosen);
    return forward(fine_[chosen](features));
  }));
}
// [/fine]

template <class Place>
auto ColumnNetworkAt<Place>::loss(const ClassBatches::Batch& batch, bool skip) const -> Loss {
  const Layer<Values> shared = features(batch.images);
  const std::vector<std::uint32_t> coarse(batch.fine.size(), static_cast<std::uint32_t>(batch.coarse));
  std::vector<Loss> losses{softmaxCrossEntropy(coarseLogits(shared), coarse)};
  if (skip)
    losses.push_back(softmaxCrossEntropy(fineLogits(shared, Do<std::size_t>::now(batch.coarse)), batch.fine));
  else
    for (std::size_t i = 0; i < fine_.size(); ++i)
      losses.push_back(softmaxCrossEntropy(fine_[i](shared), batch.fine) * (i == batch.coarse ? 1.0 : 0.0));
  return sum(losses);
}

// [predictions]
template <class Place>
auto ColumnNetworkAt<Place>::predictions(const std::vector<Tensor<float>>& images) const
    -> Do<std::vector<Prediction>> {
  const auto largest = [](const Values& logits) { return Place::fetch(logits).map(indexOfLargest); };
  std::vector<std::pair<Layer<Values>, Layer<Values>>> logits;
  for (const auto& image : images) {
    const Layer<Values> shared = features(image);
    const Layer<Values> coarse = coarseLogits(shared);
    const auto chosen = forward(coarse).flatMap([largest](const auto& tape) { return largest(tape.data); });
    logits.emplace_back(coarse, fineLogits(shared, chosen));
  }
  return predict(logits).flatMap([largest](const auto& values) {
    std::vector<Do<Prediction>> result;
    for (const auto& [coarse, fine] : values)
      result.push_back(tuple2(largest(coarse), largest(fine)).map([](const auto& both) {
        return Prediction{std::get<0>(both), std::get<1>(both)};
      }));
    return parSequence(result);
  });
}
// [/predictions]

// HostPlace or DevicePlace: each has an object file of its own, so that a program for the host loads no
// driver.
template class ColumnNetworkAt<TAPESTRY_PLACE>;

}  // namespace tapestry::examples
