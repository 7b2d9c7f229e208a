// Defines graphOf, the graph of a network as it is built: operations with their operands, attributes and
// shapes, weights, literals, and the programs that decide while a pass runs.
#pragma once

#include <compare>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "tapestry/deeplearning/differentiable.hpp"
#include "tapestry/deeplearning/extend/node_details.hpp"
#include "tapestry/deeplearning/extend/pass_gradients.hpp"

#pragma GCC visibility push(default)
namespace tapestry::extend {

/// A node of a network. Valid as long as a layer that contains the node exists; a view that an observer gets
/// is valid during the call. Equal views show one node, which several nodes may share.
class NodeView {
 public:
  /// For the engine; `state` is the node's state in a pass, or null.
  explicit NodeView(const detail::GraphNode& node, const detail::NodeState* state = nullptr) noexcept
      : node_(&node), state_(state) {}

  /// Identifies the node, as PassObserver does.
  const void* id() const noexcept { return node_; }
  /// The operation's own name, "weight", "runningAverage", "literal", "parts" or "program".
  std::string_view name() const noexcept;
  NodeKind kind() const;
  /// Identifies the pass, in the call of an observer; else null.
  const void* pass() const noexcept;
  /// Whether the node is this weight or running average.
  bool is(WeightId weight) const noexcept { return &weight.node() == node_; }

  /// The operands in their order; an operand that is used several times is listed several times. A program
  /// has no operands before it has run; in a pass, its operand is then the layer that it has made.
  std::vector<NodeView> operands() const;

  /// Returns the shape in the details without reading the operands' data. Cost: as details().
  std::optional<Shape> shape() const;
  /// Cost: copies the attributes; values are handles.
  NodeDetails details() const;
  /// The value in the details, and for a weight that is a table a copy of its rows.
  NodeValue value() const;

  friend bool operator==(NodeView a, NodeView b) noexcept { return a.node_ == b.node_; }
  friend std::strong_ordering operator<=>(NodeView a, NodeView b) noexcept {
    return std::compare_three_way()(a.node_, b.node_);
  }

 private:
  const detail::GraphNode* node_;
  const detail::NodeState* state_;
};

/// The nodes that a layer depends on as it is built, each once, operands before the nodes that use them; the
/// layer's own node is the last. The graph keeps the nodes alive.
class Graph {
 public:
  /// For graphOf.
  explicit Graph(detail::Ref<detail::GraphNode> root);

  auto begin() const noexcept { return nodes_.begin(); }
  auto end() const noexcept { return nodes_.end(); }
  std::size_t size() const noexcept { return nodes_.size(); }
  NodeView operator[](std::size_t index) const noexcept { return nodes_[index]; }
  NodeView root() const noexcept { return nodes_.back(); }

 private:
  detail::Ref<detail::GraphNode> root_;
  std::vector<NodeView> nodes_;
};

/// Returns the graph of a differentiable. Evaluates nothing: the layers that a program makes are not in it.
/// Cost: linear in the number of nodes, without recursion.
Graph graphOf(const Differentiable auto& differentiable) { return Graph(nodeOf(differentiable)); }
void graphOf(...) = delete;  // expected a Differentiable

}  // namespace tapestry::extend
#pragma GCC visibility pop
