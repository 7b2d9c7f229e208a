// Defines ColumnNetwork, the network of the paper's evaluation: expert columns, a coarse classifier, and a
// fine classifier for each coarse class.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <tapestry/deeplearning.hpp>
#include <type_traits>
#include <vector>

#include "support/class_batches.hpp"
#include "support/place.hpp"

namespace tapestry::examples {

/// Must outlive the layers that it makes. Its tensors are at the place, which batches and images come to.
template <class Place>
class ColumnNetworkAt {
 public:
  using Values = typename Place::Values;
  using Loss = Layer<typename Place::Number>;

  /// `columns` is at least 1.
  ColumnNetworkAt(std::size_t columns, std::uint64_t seed, const Place& place = Place())
      : ColumnNetworkAt(columns, Generator(seed), place) {}

  /// 64 features for each image of one [3072] or several [n, 3072]: the sum of the expert columns, which are
  /// dense 3072-64 and dense 64-64, with a rectifier behind each.
  Layer<Values> features(const Tensor<float>& images) const;

  /// 20 logits, dense 64-20.
  Layer<Values> coarseLogits(const Layer<Values>& features) const { return coarse_(features); }

  /// 5 logits, dense 64-64-64-5, of the one fine classifier that the program names, when it is run. The
  /// layers of the others are never made.
  Layer<Values> fineLogits(const Layer<Values>& features, const Do<std::size_t>& coarseClass) const;

  /// The loss of a mini-batch, of which every image is of one coarse class: of the coarse classifier, and of
  /// the matching fine one, alone if `skip`; otherwise the other 19 are computed too, with factor 0.
  Loss loss(const ClassBatches::Batch& batch, bool skip) const;

  struct Prediction {
    std::size_t coarse;
    std::size_t fine;  ///< the number in the coarse class
  };

  /// A prediction for each image [3072], whose coarse prediction names its fine classifier.
  Do<std::vector<Prediction>> predictions(const std::vector<Tensor<float>>& images) const;

  Weights weights() const { return {{"columns", columns_}, {"coarse", coarse_}, {"fine", fine_}}; }

  /// If it is set, called with the number of each fine classifier that `fineLogits` runs, from any thread.
  std::function<void(std::size_t)> onChosen;

 private:
  using Relu = std::remove_const_t<decltype(operations::relu)>;
  using Column = Sequential<Dense<Values>, Relu, Dense<Values>, Relu>;
  using FineClassifier = Sequential<Dense<Values>, Relu, Dense<Values>, Relu, Dense<Values>>;

  ColumnNetworkAt(std::size_t columns, Generator generator, const Place& place);

  const Place place_;
  std::vector<Column> columns_;
  Dense<Values> coarse_;
  std::vector<FineClassifier> fine_;
};

using ColumnNetwork = ColumnNetworkAt<HostPlace>;

}  // namespace tapestry::examples
