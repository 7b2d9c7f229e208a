#include "content.hpp"

#include <algorithm>
#include <stdexcept>

#include <tapestry/tensor/storage/file_error.hpp>
#include <tapestry/tensor/storage/shape_in_file.hpp>

namespace tapestry {

namespace {

using namespace onnx;

const Handlers& handlers() {
  static const Handlers all = [] {
    Handlers made;
    addElementwise(made);
    addActivations(made);
    addConvolutions(made);
    addLayouts(made);
    addLosses(made);
    addProducts(made);
    addReductions(made);
    addShapes(made);
    return made;
  }();
  return all;
}

void addUnknown(const Graph& graph, std::set<std::string>& unknown) {
  for (const Node& node : graph.nodes) {
    if (!handlers().contains(node.operation)) unknown.insert(node.operation);
    forEachGraphIn(node, [&](const Graph& branch) { addUnknown(branch, unknown); });
  }
}

/// A layer whose shape only a pass would know.
TensorLayer placeholder() {
  using Numbers = Tape<Tensor<float>, DeltaOf<Tensor<float>>>;
  return TensorLayer(Do<Numbers>::delay([]() -> Numbers { throw std::logic_error("a placeholder"); }));
}

Integers integersOf(const Indices& indices) {
  const auto values = indices.values();
  return {indices.shape(), {values.begin(), values.end()}};
}

}  // namespace

OnnxNetwork::Content::Content(const std::filesystem::path& path, Model model)
    : origin_{path, model.opset}, graph_(std::move(model.graph)) {
  addInitializers();
  for (const auto& input : graph_.inputs)
    if (!initial_.contains(input.name)) addInput(input);
  for (const auto& output : graph_.outputs) outputs.push_back(output.name);
  if (outputs.empty()) fail("no output, got none, expected at least 1");
  requireKnown(graph_);
  tryOut();
  imported_ = true;
}

std::vector<TensorLayer> OnnxNetwork::Content::build(const std::vector<OnnxValue>& given,
                                                     std::vector<OnnxChoice>* choices) const {
  Values values = initial_;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (const auto* layer = std::get_if<TensorLayer>(&given[i]))
      values.insert_or_assign(inputs[i].name, *layer);
    else
      values.insert_or_assign(inputs[i].name, integersOf(std::get<Indices>(given[i])));
  return outputsOf(graph_, std::move(values), choices);
}

void OnnxNetwork::Content::fail(const std::string& problem) const {
  throw FileError("importOnnx", origin_.path, problem);
}

void OnnxNetwork::Content::addInitializers() {
  const UsesOfGraph uses(graph_);
  for (auto& initializer : graph_.initializers) addInitializer(initializer, uses.of(initializer.name));
  graph_.initializers.clear();
}

void OnnxNetwork::Content::addInitializer(Initializer& initializer, const Uses& uses) {
  const std::string& name = initializer.name;
  if (name.empty() || initial_.contains(name))
    fail("the names of initializers, got " + excerpt(name) + " twice or empty, expected a name for each");
  if (auto* whole = std::get_if<Integers>(&initializer.value)) {
    initial_.emplace(name, std::move(*whole));
    return;
  }
  auto& tensor = std::get<Tensor<float>>(initializer.value);
  if (uses.asAverage && !uses.asSetting && !uses.otherwise) {
    const RunningAverage<Tensor<float>> average(std::move(tensor), uses.momentum);
    weights.push_back({name, average});
    initial_.emplace(name, average);
  } else if (uses.otherwise && !uses.asSetting && !uses.asAverage) {
    const TensorWeight weight(std::move(tensor));
    weights.push_back({name, weight});
    initial_.emplace(name, detail::layerOf(weight));
  } else {
    initial_.emplace(name, std::move(tensor));
  }
}

void OnnxNetwork::Content::addInput(const ValueInfo& info) {
  const auto type = info.type;
  const bool indices = type == ElementType::int64 || type == static_cast<ElementType>(6);
  if (!indices && type != ElementType::floats && type != ElementType::doubles &&
      type != static_cast<ElementType>(10) && type != static_cast<ElementType>(16))
    fail("input " + excerpt(info.name) + ": elements of another type, got type " +
         std::to_string(static_cast<std::int64_t>(type)) + ", expected numbers or whole numbers");
  OnnxInput input{info.name, indices, std::nullopt};
  if (info.shape) {
    input.shape.emplace();
    for (const Extent& extent : *info.shape) {
      const auto* number = std::get_if<std::int64_t>(&extent);
      input.shape->push_back(number && *number >= 0 ? std::optional(static_cast<std::size_t>(*number))
                                                    : std::nullopt);
    }
  }
  inputs.push_back(std::move(input));
}

void OnnxNetwork::Content::requireKnown(const Graph& graph) const {
  std::set<std::string> unknown;
  addUnknown(graph, unknown);
  if (unknown.empty()) return;
  std::string names;
  for (const auto& name : unknown) names += (names.empty() ? "" : ", ") + excerpt(name);
  fail("operations that are not known, got " + names + ", expected those that docs/files_of_others.md lists");
}

void OnnxNetwork::Content::tryOut() const {
  Values values = initial_;
  for (const auto& input : inputs)
    if (input.indices)
      values.insert_or_assign(input.name, Pending{});
    else
      values.insert_or_assign(input.name, placeholder());
  static_cast<void>(outputsOf(graph_, std::move(values), nullptr));
}

std::vector<Value> OnnxNetwork::Content::resultsOf(const Call& call, const std::string& operation) const {
  const Handler handler = handlers().at(operation);
  if (imported_) return handler(call);
  if (call.anyPending())
    return std::vector<Value>(call.outputs(), isCopy(operation) ? Value(Pending{}) : Value(placeholder()));
  try {
    return handler(call);
  } catch (const std::logic_error& error) {
    call.fail(error.what());
  }
}

std::vector<TensorLayer> OnnxNetwork::Content::outputsOf(const Graph& graph, Values values,
                                                         std::vector<OnnxChoice>* choices) const {
  for (const auto& [name, array] : graph.initializers)
    std::visit([&](const auto& typed) { values.insert_or_assign(name, Value(typed)); }, array);
  const BuildBranch buildBranch = [&](const Graph& branch) { return outputsOf(branch, values, choices); };
  for (const Node& node : graph.nodes) {
    const Call call(origin_, node, values, buildBranch, choices);
    auto results = resultsOf(call, node.operation);
    results.resize(std::max(results.size(), node.outputs.size()), NotComputed{});
    for (std::size_t i = 0; i < node.outputs.size(); ++i)
      if (!node.outputs[i].empty()) values.insert_or_assign(node.outputs[i], std::move(results[i]));
  }
  std::vector<TensorLayer> layers;
  for (const auto& output : graph.outputs) layers.push_back(layerOf(values, output.name));
  return layers;
}

TensorLayer OnnxNetwork::Content::layerOf(const Values& values, const std::string& name) const {
  const auto found = values.find(name);
  if (found != values.end()) {
    if (const auto* layer = std::get_if<TensorLayer>(&found->second)) return *layer;
    if (const auto* tensor = std::get_if<Tensor<float>>(&found->second)) return *tensor;
    if (const auto* whole = std::get_if<Integers>(&found->second)) return numbersOf(*whole);
    if (std::holds_alternative<Pending>(found->second)) return placeholder();
    if (std::holds_alternative<NotComputed>(found->second))
      fail("output " + excerpt(name) +
           " is not computed, got a further output of a node, expected one that the library has");
  }
  fail("output " + excerpt(name) + " is unknown, got no numbers of that name, expected the output of a node");
}

}  // namespace tapestry
