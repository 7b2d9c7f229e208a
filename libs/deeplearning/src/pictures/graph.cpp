#include "tapestry/deeplearning/extend/graph.hpp"

#include <unordered_set>

#include "tapestry/deeplearning/detail/node/graph_node.hpp"

namespace tapestry::extend {

namespace {

/// The nodes that the root depends on, each after its operands.
std::vector<NodeView> nodesBelow(const detail::GraphNode& root) {
  struct Visit {
    const detail::GraphNode* node;
    std::size_t next = 0;  ///< the operand to visit next
  };
  std::vector<NodeView> nodes;
  std::unordered_set<const detail::GraphNode*> seen{&root};
  std::vector<Visit> path{{&root}};
  while (!path.empty()) {
    Visit& visit = path.back();
    const auto operands = visit.node->operands();
    if (visit.next < operands.size()) {
      const detail::GraphNode* const operand = operands[visit.next++].get();
      if (seen.insert(operand).second) path.push_back({operand});
    } else {
      nodes.emplace_back(*visit.node);
      path.pop_back();
    }
  }
  return nodes;
}

}  // namespace

std::string_view NodeView::name() const noexcept { return node_->name(); }

const void* NodeView::pass() const noexcept { return state_ ? state_->holder.load() : nullptr; }

NodeKind NodeView::kind() const {
  if (!node_->operands().empty()) return NodeKind::operation;
  NodeDetails details;
  node_->describe(details);
  return details.kind;
}

std::vector<NodeView> NodeView::operands() const {
  std::vector<NodeView> views;
  if (const detail::NodeState* chosen = state_ ? node_->chosenIn(*state_) : nullptr)
    views.emplace_back(*chosen->node, chosen);
  const auto operands = node_->operands();
  const auto states = state_ ? node_->operandStates(const_cast<detail::NodeState&>(*state_))
                             : std::span<detail::NodeState*>();
  for (std::size_t i = 0; i < operands.size(); ++i)
    views.emplace_back(*operands[i], i < states.size() ? states[i] : nullptr);
  return views;
}

std::optional<Shape> NodeView::shape() const {
  NodeDetails own;
  node_->describe(own);
  if (state_) state_->describe(own);
  return own.shape;
}

NodeDetails NodeView::details() const {
  NodeDetails details;
  for (const NodeView& operand : operands()) details.operands.push_back(operand.shape());
  node_->describe(details);
  if (state_) state_->describe(details);
  return details;
}

NodeValue NodeView::value() const {
  NodeDetails found = details();
  if (std::holds_alternative<std::monostate>(found.value)) node_->describeRows(found);
  return found.value;
}

Graph::Graph(detail::Ref<detail::GraphNode> root) : root_(std::move(root)), nodes_(nodesBelow(*root_)) {}

}  // namespace tapestry::extend
