// Defines RandomGraph, a network that is drawn at random and can be printed as C++.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "tapestry/deeplearning/differentiable.hpp"
#include "tapestry/deeplearning/table_weight.hpp"
#include "tensor/kernels/support.hpp"

namespace tapestry::test {

/// A differentiable of a random graph, with what it evaluates to; scalars as tensors of rank 0.
struct RandomNode {
  using AnyLayer = std::variant<DoubleLayer, DoubleTensorLayer>;

  std::string name;
  AnyLayer layer;
  Tensor<double> value;
};

/// Weights, literals, and operations on them and on each other, drawn with a seed. The values are of moderate
/// size, and far enough from where an operation has no derivative for differences to be taken.
class RandomGraph {
 public:
  explicit RandomGraph(unsigned seed);

  /// The sum of what no operation of the graph consumes.
  const DoubleLayer& loss() const noexcept { return loss_; }
  const std::vector<DoubleWeight>& scalars() const noexcept { return scalars_; }
  const std::vector<DoubleTensorWeight>& tensors() const noexcept { return tensors_; }
  const std::vector<DoubleTableWeight>& tables() const noexcept { return tables_; }
  std::size_t size() const noexcept { return nodes_.size(); }

  /// The statements that make the graph.
  const std::string& text() const noexcept { return text_; }

 private:
  void addWeights(Random& random);
  /// With two layers of its rows.
  void addTable(Random& random);
  void addOperation(Random& random);
  /// False for a value that is too large, or not finite.
  bool add(const std::string& name, const RandomNode::AnyLayer& layer, const std::string& statement);
  void addLoss();

  std::vector<DoubleWeight> scalars_;
  std::vector<DoubleTensorWeight> tensors_;
  std::vector<DoubleTableWeight> tables_;
  std::vector<RandomNode> nodes_;
  std::vector<bool> consumed_;
  DoubleLayer loss_{0.0};
  std::string text_;
};

}  // namespace tapestry::test
