#include "outputs.hpp"

#include <algorithm>
#include <stdexcept>

namespace tapestry::onnx::exporting {

namespace {

/// How often nodes of the graph, and of the graphs within, use each value.
void countUses(const Graph& graph, std::map<std::string, std::size_t>& uses) {
  for (const Node& node : graph.nodes) {
    for (const auto& input : node.inputs) ++uses[input];
    for (const auto& attribute : node.attributes)
      if (const auto* branch = std::get_if<std::shared_ptr<const Graph>>(&attribute.value))
        countUses(**branch, uses);
  }
}

}  // namespace

void refuse(const std::string& problem) { throw std::invalid_argument("tapestry::exportOnnx: " + problem); }

void requireDataFile(const std::string& name, const std::filesystem::path& model) {
  const std::filesystem::path file(name);
  if (file.has_parent_path() || name == "." || name == ".." || (!name.empty() && file == model.filename()))
    refuse("no name of a data file, got \"" + name +
           "\", expected that of another file in the model's folder");
}

Shape shapeOf(const OnnxArgument& input) {
  if (const auto* indices = std::get_if<Indices>(&input.value)) return indices->shape();
  const Shape* shape = std::get<TensorLayer>(input.value).node()->knownShape();
  if (!shape)
    refuse("the shape of the input \"" + input.name +
           "\" is not known, got a layer that depends on a pass, expected a layer of a constant");
  return *shape;
}

std::size_t batchExtent(const std::vector<OnnxArgument>& inputs, const OnnxExportOptions& options) {
  if (options.batch.empty()) return 0;
  for (const auto& input : inputs)
    if (const Shape shape = shapeOf(input); shape.rank() > 0) return shape[0];
  return 0;
}

ValueInfo infoOf(const std::string& name, const Shape& shape, const std::vector<OnnxArgument>& inputs,
                 const OnnxExportOptions& options) {
  std::vector<Extent> extents;
  for (const std::size_t extent : shape) extents.push_back(static_cast<std::int64_t>(extent));
  if (!options.batch.empty() && !extents.empty() && shape[0] == batchExtent(inputs, options))
    extents[0] = options.batch;
  return {name, ElementType::floats, extents};
}

void joinIdentities(Graph& graph, std::size_t outputs) {
  auto& nodes = graph.nodes;
  std::map<std::string, std::size_t> uses;
  countUses(graph, uses);
  for (std::size_t i = nodes.size() - outputs; i < nodes.size();) {
    const std::string inner = nodes[i].inputs[0], name = nodes[i].outputs[0];
    const auto maker =
        std::ranges::find_if(nodes, [&](const Node& node) { return node.outputs[0] == inner; });
    if (uses[inner] != 1 || maker == nodes.end() || maker->operation == "Constant") {
      ++i;
      continue;
    }
    maker->outputs[0] = name;
    nodes.erase(nodes.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

void dropUnusedConstants(Graph& graph) {
  std::map<std::string, std::size_t> uses;
  countUses(graph, uses);
  std::erase_if(graph.nodes, [&](const Node& node) {
    return node.operation == "Constant" && !uses.contains(node.outputs[0]);
  });
}

}  // namespace tapestry::onnx::exporting
