#include "tapestry/deeplearning/pictures/to_dot.hpp"

#include <map>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

namespace tapestry::detail {

namespace {

using extend::NodeKind;

std::string dotText(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (c == '\n')
      result += "\\n";
    else if (c == '&')  // Graphviz reads entities such as &lt;
      result += "&amp;";
    else
      result += c;
  }
  return result + '"';
}

/// Whether the node was evaluated, for its colours.
enum class Part { taken, notTaken };

class Dot {
 public:
  Dot(const extend::Graph& graph, const DotOptions& options) : options_(options) {
    for (const auto& [name, weight] : options.weights) names_.emplace(&extend::WeightId(weight).node(), name);
    std::map<const void*, PictureNode> built;
    for (const PictureNode& node : pictureOf(graph)) built.emplace(node.id, node);
    std::map<const void*, PictureNode> taken;
    if (options.pass)
      for (const PictureNode& node : options.pass->nodes()) taken.emplace(node.id, node);
    collect(graph.root().id(), built, taken);
  }

  std::string text() {
    out_ << "digraph {\n"
            "  node [shape=box, style=\"rounded,filled\", fillcolor=white, fontname=\"Helvetica\", "
            "fontsize=11];\n"
            "  edge [fontname=\"Helvetica\", fontsize=9];\n";
    for (const Drawn& drawn : drawn_) countUsers(drawn.node);
    for (const Drawn& drawn : drawn_) write(keyOf(drawn.node.id), drawn.node, drawn.part);
    for (const Drawn& drawn : drawn_)
      if (options_.pass && drawn.node.kind == NodeKind::program) writeOthers(drawn.node);
    writeUnused();
    out_ << "}\n";
    return out_.str();
  }

 private:
  struct Drawn {
    PictureNode node;
    Part part;
  };
  using Nodes = std::map<const void*, PictureNode>;

  /// The nodes below the root: as the pass has recorded them, else as they are built.
  void collect(const void* root, const Nodes& built, const Nodes& taken) {
    std::vector<const void*> ahead{root};
    while (!ahead.empty()) {
      const void* const id = ahead.back();
      ahead.pop_back();
      const auto recorded = taken.find(id);
      const auto known = recorded == taken.end() ? built.find(id) : recorded;
      if (known == built.end() || !isDrawn_.insert(id).second) continue;
      const bool isTaken = !options_.pass || recorded != taken.end();
      PictureNode node = known->second;
      // values of weights and shapes may be known in the graph alone
      if (const auto before = built.find(id); before != built.end()) {
        if (node.value.empty()) node.value = before->second.value;
        if (!node.shape) node.shape = before->second.shape;
      }
      for (const auto* list : {&node.operands, &node.asked})
        ahead.insert(ahead.end(), list->begin(), list->end());
      drawn_.push_back({std::move(node), isTaken ? Part::taken : Part::notTaken});
    }
  }

  void countUsers(const PictureNode& node) {
    std::set<const void*> all(node.operands.begin(), node.operands.end());
    all.insert(node.asked.begin(), node.asked.end());
    for (const void* used : all) ++users_[used];
  }

  /// Names for Graphviz that do not depend on addresses.
  std::string keyOf(const void* id) {
    const auto [found, isNew] = numbers_.try_emplace(id, numbers_.size());
    return 'n' + std::to_string(found->second);
  }

  std::string label(const PictureNode& node) const {
    const auto name = names_.find(node.id);
    std::string text = name == names_.end() ? node.name : name->second;
    if (!node.place.empty()) text += " (" + node.place + ')';
    if (!node.settings.empty()) text += '\n' + node.settings;
    if (node.shape) text += '\n' + toString(*node.shape);
    if (options_.values && !node.value.empty()) text += "\n" + node.value;
    return text;
  }

  static std::string styleOf(const PictureNode& node, Part part) {
    const bool isTaken = part == Part::taken;
    std::string style = isTaken ? "" : ", style=\"filled,dashed\", color=\"#999999\", fontcolor=\"#777777\"";
    if (isTaken && node.kind != NodeKind::operation) style = ", style=filled";
    if (node.kind == NodeKind::weight || node.kind == NodeKind::average)
      style += ", fillcolor=\"#ffe0b3\"";
    else if (node.kind == NodeKind::literal)
      style += ", fillcolor=\"#e8e8e8\"";
    else if (node.kind == NodeKind::program)
      style += ", shape=hexagon, fillcolor=\"#d9e8ff\"";
    return style;
  }

  void write(const std::string& key, const PictureNode& node, Part part) {
    out_ << "  " << key << " [label=" << dotText(label(node)) << styleOf(node, part);
    if (users_[node.id] > 1) out_ << ", peripheries=2";
    out_ << "];\n";
    for (const void* operand : node.operands) writeEdge(keyOf(operand), key, node.kind, part);
    for (const void* asked : node.asked)
      out_ << "  " << keyOf(asked) << " -> " << key << " [style=dotted, label=\"asked\"];\n";
  }

  void writeEdge(const std::string& from, const std::string& to, NodeKind kind, Part part) {
    out_ << "  " << from << " -> " << to;
    if (part == Part::notTaken)
      out_ << " [style=dashed, color=\"#999999\"]";
    else if (kind == NodeKind::program)
      out_ << " [penwidth=2.5, color=\"#1a7f37\", label=\"chosen\"]";
    out_ << ";\n";
  }

  /// The branches that were chosen in earlier passes.
  void writeOthers(const PictureNode& program) {
    for (const auto& branch : options_.pass->otherBranches(program.id)) {
      if (branch.nodes.empty()) continue;
      const std::string prefix = 'b' + std::to_string(branches_++) + '_';
      std::map<const void*, std::string> keys;
      for (const PictureNode& node : branch.nodes) {
        const std::string key = keys.emplace(node.id, prefix + std::to_string(keys.size())).first->second;
        out_ << "  " << key << " [label=" << dotText(label(node)) << styleOf(node, Part::notTaken) << "];\n";
        for (const void* operand : node.operands) {
          const auto own = keys.find(operand);
          if (own == keys.end() && !isDrawn_.contains(operand) && !names_.contains(operand)) continue;
          writeEdge(own == keys.end() ? keyOf(operand) : own->second, key, node.kind, Part::notTaken);
        }
      }
      out_ << "  " << keys.at(branch.nodes.back().id) << " -> " << keyOf(program.id)
           << " [style=dashed, color=\"#999999\", label=\"not chosen, but in " << branch.passes
           << (branch.passes == 1 ? " pass" : " passes") << " before\"];\n";
    }
  }

  /// The weights of the model that nothing uses. Running averages are no operands: whether a node uses one is
  /// not known.
  void writeUnused() {
    for (const auto& [name, weight] : options_.weights) {
      const extend::NodeView node(extend::WeightId(weight).node());
      if (node.kind() != NodeKind::average && isDrawn_.insert(node.id()).second)
        write(keyOf(node.id()), pictureOf(node), Part::notTaken);
    }
  }

  const DotOptions& options_;
  std::ostringstream out_;
  std::map<const void*, std::string> names_;
  std::vector<Drawn> drawn_;  ///< the root first
  std::set<const void*> isDrawn_;
  std::map<const void*, std::size_t> users_;
  std::map<const void*, std::size_t> numbers_;
  std::size_t branches_ = 0;
};

}  // namespace

std::string dotOf(const extend::Graph& graph, const DotOptions& options) {
  return Dot(graph, options).text();
}

}  // namespace tapestry::detail
