// Defines summary, a table of a network's layers: shapes, numbers of weights, memory and multiplications.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tapestry/deeplearning/extend/graph.hpp"
#include "tapestry/deeplearning/pictures/pass_record.hpp"
#include "tapestry/deeplearning/weights.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// What a summary knows beside the layer.
struct SummaryOptions {
  /// The names of the model's weights.
  Weights weights = {};
  /// A record of a pass that evaluated the layer: shapes are then known everywhere, and the layers that
  /// programs have made are in the table.
  std::shared_ptr<const PassRecord> pass = nullptr;
};

/// What a layer needs to be computed once.
struct Summary {
  /// Operations of one kind with equal shapes and the same weights, in the order of evaluation.
  struct Row {
    std::string layer;    ///< the operation; a program with its place
    std::string weights;  ///< the names of the weights that it uses, or "weight"
    std::optional<Shape> shape;
    std::size_t times = 1;
    std::size_t elements = 0;           ///< of its weights
    std::size_t bytes = 0;              ///< of its results
    std::uint64_t multiplications = 0;  ///< of the forward of products and convolutions
  };
  std::vector<Row> rows;
  std::size_t elements = 0;     ///< of all weights, each counted once
  std::size_t weightBytes = 0;  ///< the memory of all weights
  std::size_t bytes = 0;        ///< the memory of all results, if none is dropped
  std::uint64_t multiplications = 0;

  /// A line for each row, and the sums.
  std::string table() const;
};

namespace detail {

Summary summaryOf(const extend::Graph& graph, const SummaryOptions& options);

}  // namespace detail

/// Describes what a layer computes: summary(model(input), {.weights = model.weights()}). What is not known
/// before a pass counts as nothing, unless there is a record of one. Evaluates nothing.
Summary summary(const Differentiable auto& layer, const SummaryOptions& options = {}) {
  return detail::summaryOf(extend::graphOf(layer), options);
}
void summary(...) = delete;  // expected a Differentiable, and maybe SummaryOptions

}  // namespace tapestry
#pragma GCC visibility pop
