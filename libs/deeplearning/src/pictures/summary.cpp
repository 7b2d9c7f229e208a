#include "tapestry/deeplearning/pictures/summary.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "table_text.hpp"

namespace tapestry {

namespace {

using detail::PictureNode;
using extend::NodeKind;
using SummarizedNodes = std::map<const void*, PictureNode>;

bool isLearnt(const PictureNode& node) {
  return node.kind == NodeKind::weight || node.kind == NodeKind::average;
}

std::size_t elementsOf(const PictureNode& node) { return node.shape ? node.shape->size() : 0; }

/// What is known of the layer's nodes: as they are built, and as the pass has recorded them.
SummarizedNodes nodesOf(const extend::Graph& graph, const PassRecord* pass) {
  SummarizedNodes nodes;
  for (PictureNode& node : detail::pictureOf(graph)) nodes.emplace(node.id, std::move(node));
  if (pass)
    for (PictureNode& node : pass->nodes()) nodes[node.id] = std::move(node);
  return nodes;
}

/// The nodes below the root, operands first.
std::vector<const PictureNode*> inOrder(const SummarizedNodes& nodes, const void* root) {
  std::vector<const PictureNode*> order;
  std::map<const void*, bool> seen;  // true after the operands
  std::vector<const void*> ahead{root};
  while (!ahead.empty()) {
    const auto found = nodes.find(ahead.back());
    const auto [visit, isNew] = seen.try_emplace(ahead.back(), false);
    if (isNew && found != nodes.end()) {
      for (const auto* list : {&found->second.operands, &found->second.asked})
        ahead.insert(ahead.end(), list->rbegin(), list->rend());
      continue;
    }
    if (!std::exchange(visit->second, true) && found != nodes.end()) order.push_back(&found->second);
    ahead.pop_back();
  }
  return order;
}

class Summarize {
 public:
  Summarize(const SummarizedNodes& nodes, const SummaryOptions& options) : nodes_(nodes) {
    for (const auto& [name, weight] : options.weights) names_.emplace(&extend::WeightId(weight).node(), name);
  }

  void add(const PictureNode& node) {
    if (isLearnt(node)) {
      summary_.elements += node.kind == NodeKind::weight ? elementsOf(node) : 0;
      summary_.weightBytes += elementsOf(node) * node.elementBytes;
    }
    if (isLearnt(node) || node.kind == NodeKind::literal) return;
    std::set<const void*> used;
    Summary::Row row = rowOf(node, used);
    summary_.bytes += row.bytes;
    summary_.multiplications += row.multiplications;
    for (std::size_t i = 0; i < used_.size(); ++i)
      if (auto& same = summary_.rows[i];
          same.layer == row.layer && same.shape == row.shape && used_[i] == used) {
        ++same.times;
        same.bytes += row.bytes;
        same.multiplications += row.multiplications;
        return;
      }
    summary_.rows.push_back(std::move(row));
    used_.push_back(std::move(used));
  }

  Summary take() { return std::move(summary_); }

 private:
  /// Adds the weights of the node to `used`.
  Summary::Row rowOf(const PictureNode& node, std::set<const void*>& used) const {
    Summary::Row row{.layer = node.place.empty() ? node.name : node.name + " (" + node.place + ')',
                     .weights = {},
                     .shape = node.shape,
                     .bytes = node.kind == NodeKind::program ? 0 : elementsOf(node) * node.elementBytes,
                     .multiplications = node.multiplications.value_or(0)};
    for (const void* operand : node.operands) {
      const auto found = nodes_.find(operand);
      if (found == nodes_.end() || !isLearnt(found->second) || !used.insert(operand).second) continue;
      row.elements += elementsOf(found->second);
      const auto name = names_.find(operand);
      row.weights +=
          (row.weights.empty() ? "" : ", ") + (name == names_.end() ? found->second.name : name->second);
    }
    return row;
  }

  const SummarizedNodes& nodes_;
  std::map<const void*, std::string> names_;
  Summary summary_;
  std::vector<std::set<const void*>> used_;  ///< the weights of each row
};

}  // namespace

std::string Summary::table() const {
  detail::TextTable table({"layer", "weights", "shape", "times", "elements", "results", "multiplications"},
                          3);
  for (const Row& row : rows)
    table.add({row.layer, row.weights, row.shape ? toString(*row.shape) : "?", std::to_string(row.times),
               detail::groupedText(row.elements), detail::bytesText(row.bytes),
               detail::groupedText(row.multiplications)});
  table.line();
  table.add({"sum", "", "", "", detail::groupedText(elements), detail::bytesText(bytes),
             detail::groupedText(multiplications)});
  return table.text() + "memory of the weights: " + detail::bytesText(weightBytes) + "\n";
}

Summary detail::summaryOf(const extend::Graph& graph, const SummaryOptions& options) {
  const SummarizedNodes nodes = nodesOf(graph, options.pass.get());
  Summarize summarize(nodes, options);
  for (const PictureNode* node : inOrder(nodes, graph.root().id())) summarize.add(*node);
  return summarize.take();
}

}  // namespace tapestry
