#include "outputs.hpp"

#include <algorithm>
#include <new>
#include <stdexcept>

#include "import/content.hpp"

namespace tapestry::onnx::exporting {

namespace {

/// How often nodes of the graph, and of the graphs within, use each value.
void countUses(const Graph& graph, std::map<std::string, std::size_t>& uses) {
  for (const Node& node : graph.nodes) {
    for (const auto& input : node.inputs) ++uses[input];
    forEachGraphIn(node, [&](const Graph& branch) { countUses(branch, uses); });
  }
}

/// The extent of the batch in the inputs; none if no input has axes.
std::optional<std::size_t> batchExtent(const std::vector<OnnxArgument>& inputs) {
  for (const auto& input : inputs)
    if (const Shape shape = shapeOf(input); shape.rank() > 0) return shape[0];
  return std::nullopt;
}

/// Two sizes of the batch.
struct Sizes {
  std::size_t now;
  std::size_t other;
};

/// The shapes of the outputs with a batch of the other size.
std::vector<std::optional<Shape>> shapesOfOther(const Sizes& batch, const Model& model,
                                                const std::vector<OnnxArgument>& inputs,
                                                const OnnxExportOptions& options) {
  std::vector<Shape> shapes;
  for (const auto& input : inputs) {
    const Shape shape = shapeOf(input);
    std::vector<std::size_t> extents(shape.begin(), shape.end());
    if (isOfBatch(input, inputs, options)) extents.front() = batch.other;
    shapes.emplace_back(extents);
  }
  try {
    return shapesOfOutputs(model, shapes, !options.choices.empty());
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    refuse("the network fits only one size of the batch, got for \"" + options.batch +
           "\" = " + std::to_string(batch.other) + " the error \"" + error.what() +
           "\", expected no shape and no constant that depends on the batch (or export without it)");
  }
}

/// An extent that changes otherwise than the batch gets a name of its own.
void nameExtents(ValueInfo& output, const Shape& other, const Sizes& batch, const std::string& name) {
  if (output.shape->size() != other.rank()) {
    output.shape.reset();
    return;
  }
  for (std::size_t axis = 0; axis < other.rank(); ++axis) {
    Extent& extent = (*output.shape)[axis];
    const auto now = static_cast<std::size_t>(std::get<std::int64_t>(extent));
    if (now == batch.now && other[axis] == batch.other)
      extent = name;
    else if (now != other[axis])
      extent = name + "_" + output.name + "_" + std::to_string(axis);
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

ValueInfo infoOf(const std::string& name, const Shape& shape) {
  std::vector<Extent> extents;
  for (const std::size_t extent : shape) extents.push_back(static_cast<std::int64_t>(extent));
  return {name, ElementType::floats, extents};
}

bool isOfBatch(const OnnxArgument& input, const std::vector<OnnxArgument>& inputs,
               const OnnxExportOptions& options) {
  if (options.batch.empty()) return false;
  const Shape shape = shapeOf(input);
  return shape.rank() > 0 && shape[0] == batchExtent(inputs);
}

void nameBatch(Model& model, const std::vector<OnnxArgument>& inputs, const OnnxExportOptions& options) {
  const auto now = batchExtent(inputs);
  if (!now) return;
  // An extent that no shape and no constant has by chance; a pass takes memory for it.
  const Sizes batch{*now, *now + (options.choices.empty() ? 10'007 : 7)};
  const auto others = shapesOfOther(batch, model, inputs, options);
  for (std::size_t i = 0; i < others.size(); ++i)
    if (auto& output = model.graph.outputs[i]; output.shape && others[i])
      nameExtents(output, *others[i], batch, options.batch);
}

void requireNames(const Graph& graph) {
  const auto require = [&](const std::string& kind, const std::vector<ValueInfo>& values,
                           const auto& hasElse) {
    for (const auto& [name, type, shape] : values) {
      if (name.empty() || std::ranges::count(values, name, &ValueInfo::name) > 1)
        refuse("the names of " + kind + ", got \"" + name + "\" twice or empty, expected a name for each");
      if (std::ranges::count(graph.initializers, name, &Initializer::name) > 0 || hasElse(name))
        refuse("the names of " + kind + ", got \"" + name +
               "\", which an input or a weight has, expected other names");
    }
  };
  require("inputs", graph.inputs, [](const std::string&) { return false; });
  require("outputs", graph.outputs, [&](const std::string& name) {
    return std::ranges::count(graph.inputs, name, &ValueInfo::name) > 0;
  });
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
