#include <algorithm>

#include <tapestry/onnx/export_onnx.hpp>

#include "emitter.hpp"
#include "outputs.hpp"

namespace tapestry::onnx::exporting {

namespace {

using extend::NodeKind;
using extend::NodeView;

const Writers& writers() {
  static const Writers all = [] {
    Writers made;
    addArithmetic(made);
    addReductions(made);
    addLayouts(made);
    addLosses(made);
    addProducts(made);
    addImages(made);
    return made;
  }();
  return all;
}

/// The data of a literal or a weight as the file has them.
Tensor<float> numbersOf(const extend::NodeValue& value, std::string_view name) {
  if (const auto* tensor = std::get_if<Tensor<float>>(&value)) return *tensor;
  if (const auto* number = std::get_if<double>(&value))
    return Tensor<float>::scalar(static_cast<float>(*number));
  if (const auto* number = std::get_if<float>(&value)) return Tensor<float>::scalar(*number);
  const auto* doubles = std::get_if<Tensor<double>>(&value);
  if (!doubles)
    refuse(
        "the data of a " + std::string(name) +
        " cannot be written, got data of a device or of a user-defined type, expected numbers of the host");
  auto tensor = Tensor<float>::uninitialized(doubles->shape());
  std::ranges::transform(doubles->values(), tensor.exclusiveData(),
                         [](double number) { return static_cast<float>(number); });
  return tensor;
}

class Exporter {
 public:
  Exporter(const extend::Graph& network, const std::vector<OnnxArgument>& inputs,
           const OnnxExportOptions& options, const detail::OnnxShapes& shapes)
      : network_(network), inputs_(inputs), options_(options), shapes_(shapes), emitter_(inputs, options) {
    std::set<NodeView> seen;
    countUsers(network, seen);
    for (const auto& choice : options.choices) {
      countUsers(choice.condition(), seen);
      countUsers(extend::graphOf(choice.then()), seen);
      countUsers(extend::graphOf(choice.otherwise()), seen);
    }
  }

  onnx::Model write() {
    for (const auto& input : inputs_) addInput(input);
    writeNodes(network_);
    for (const auto& input : inputs_)
      if (!emitter_.used().contains(input.name))
        refuse("the layer does not depend on the input \"" + input.name +
               "\", got a layer or Indices that it was not built on, expected those of its operations");
    addOutputs();
    dropUnusedConstants(emitter_.graph);
    requireNames(emitter_.graph);
    onnx::Model model{onnx::writtenOpset, std::move(emitter_.graph)};
    if (emitter_.anyBatch()) nameBatch(model, inputs_, options_);
    return model;
  }

 private:
  void countUsers(const extend::Graph& graph, std::set<NodeView>& seen) {
    for (const NodeView node : graph)
      if (seen.insert(node).second)
        for (const NodeView operand : node.operands()) ++users_[operand];
  }

  void writeNodes(const extend::Graph& graph) {
    for (const NodeView node : graph)
      if (!names_.contains(node)) names_[node] = written(node);
  }

  const OnnxArgument* argumentOf(NodeView node) const {
    const auto found = std::ranges::find_if(inputs_, [&](const OnnxArgument& input) {
      const auto* layer = std::get_if<TensorLayer>(&input.value);
      return layer && layer->node().get() == node.id();
    });
    return found == inputs_.end() ? nullptr : &*found;
  }

  /// Returns the name of the node's value.
  std::string written(NodeView node) {
    if (const auto* input = argumentOf(node)) {
      emitter_.use(input->name);
      return input->name;
    }
    switch (node.kind()) {
      case NodeKind::literal:
        return emitter_.constant(numbersOf(node.value(), "literal"));
      case NodeKind::weight:
        return emitter_.weight(node, numbersOf(node.value(), "weight"));
      case NodeKind::average:
        return emitter_.weight(node, numbersOf(node.value(), "running average"));
      case NodeKind::program:
        return writtenProgram(node);
      case NodeKind::operation:
        break;
    }
    if (node.name() == "parts") return {};  // the root's operands are the outputs
    return writtenOperation(node);
  }

  std::string writtenOperation(NodeView node) {
    const std::string name(node.name());
    const auto writer = writers().find(name);
    if (writer == writers().end())
      refuse("the operation " + name +
             " has no counterpart in the file, got it in the network, expected one of those that "
             "docs/files_of_others.md lists");
    Operation operation{emitter_, name, node.details(), {}, {}};
    operation.details.shape = shapeOfNode(node);
    operation.details.operands.clear();
    for (const NodeView operand : node.operands()) {
      operation.details.operands.push_back(shapeOfNode(operand));
      operation.inputs.push_back(names_.at(operand));
      operation.aloneUser.push_back(users_.at(operand) == 1);
    }
    return writer->second(operation);
  }

  std::optional<Shape> shapeOfNode(NodeView node) const {
    if (const Shape* const found = shapes_.find(node)) return *found;
    return node.details().shape;
  }

  std::string writtenProgram(NodeView node) {
    for (const auto& choice : options_.choices)
      if (choice.layer().node().get() == node.id()) return writtenChoice(choice);
    const auto place = node.details().place;
    refuse(
        "a layer that is made while a pass runs cannot be written, got the program (flatMap, tuple2 or "
        "direct) "
        "of the layer made at " +
        (place.line() == 0 ? std::string("a place that is not known")
                           : std::string(place.file_name()) + ":" + std::to_string(place.line())) +
        ", expected operations alone, or a choice between known layers (OnnxExportOptions::choices)");
  }

  /// What both branches need is written before; the rest of each is written in the branch.
  std::string writtenChoice(const OnnxChoice& choice) {
    writeNodes(choice.condition());
    const auto then = extend::graphOf(choice.then()), otherwise = extend::graphOf(choice.otherwise());
    const std::set<NodeView> others(otherwise.begin(), otherwise.end());
    for (const NodeView node : then)
      if (others.contains(node) && !names_.contains(node)) names_[node] = written(node);
    constexpr std::int64_t boolean = 9;
    const auto condition = emitter_.add("Cast", {names_.at(choice.condition().root())}, {{"to", boolean}});
    auto thenBranch = branchOf(then), elseBranch = branchOf(otherwise);
    return emitter_.add("If", {condition}, {{"then_branch", thenBranch}, {"else_branch", elseBranch}});
  }

  std::shared_ptr<const onnx::Graph> branchOf(const extend::Graph& graph) {
    auto branch = std::make_shared<onnx::Graph>();
    onnx::Graph* const before = emitter_.enter(branch.get());
    const auto outside = names_;  // what is written in a branch is known in it alone
    writeNodes(graph);
    const auto result = emitter_.add("Identity", {names_.at(graph.root())});
    names_ = outside;
    emitter_.enter(before);
    branch->name = result;
    const auto shape = emitter_.anyBatch() ? std::nullopt : shapeOfNode(graph.root());
    branch->outputs.push_back(shape ? infoOf(result, *shape) : ValueInfo{result});
    return branch;
  }

  void addInput(const OnnxArgument& input) {
    auto info = infoOf(input.name, shapeOf(input));
    if (isOfBatch(input, inputs_, options_)) info.shape->front() = options_.batch;
    if (std::holds_alternative<Indices>(input.value)) info.type = onnx::ElementType::int64;
    emitter_.graph.inputs.push_back(std::move(info));
  }

  void addOutputs() {
    const NodeView root = network_.root();
    std::vector<NodeView> outputs{root};
    if (root.name() == "parts") outputs = root.operands();
    if (!options_.outputs.empty() && options_.outputs.size() != outputs.size())
      refuse("another number of outputs, got " + std::to_string(options_.outputs.size()) +
             " names, expected " + std::to_string(outputs.size()));
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const std::string name = !options_.outputs.empty() ? options_.outputs[i]
                               : outputs.size() == 1     ? "output"
                                                         : "output" + std::to_string(i);
      emitter_.graph.nodes.push_back({"Identity", name, {names_.at(outputs[i])}, {name}, {}});
      const auto shape = shapeOfNode(outputs[i]);
      emitter_.graph.outputs.push_back(shape ? infoOf(name, *shape) : ValueInfo{name});
    }
    joinIdentities(emitter_.graph, outputs.size());
  }

  const extend::Graph& network_;
  const std::vector<OnnxArgument>& inputs_;
  const OnnxExportOptions& options_;
  const detail::OnnxShapes& shapes_;
  Emitter emitter_;
  std::map<NodeView, std::size_t> users_;
  std::map<NodeView, std::string> names_;  ///< of the values of the nodes
};

}  // namespace

}  // namespace tapestry::onnx::exporting

void tapestry::detail::exportOnnx(const extend::Graph& graph, const std::vector<OnnxArgument>& inputs,
                                  const std::filesystem::path& path, const OnnxExportOptions& options,
                                  const OnnxShapes& shapes) {
  using namespace tapestry::onnx;
  exporting::requireDataFile(options.dataFile, path);
  writeModel(path, exporting::Exporter(graph, inputs, options, shapes).write(), options.dataFile,
             "exportOnnx");
}

void tapestry::detail::OnnxShapes::observeNode(Event event, const extend::NodeView& node) noexcept try {
  if (event != Event::forward) return;
  if (auto shape = node.details().shape) {
    const std::lock_guard guard(mutex_);
    shapes_.insert_or_assign(node.id(), *shape);
  }
} catch (...) {  // NOLINT: no memory for the shape, which the export then lacks
}

const tapestry::Shape* tapestry::detail::OnnxShapes::find(const extend::NodeView& node) const {
  const std::lock_guard guard(mutex_);
  const auto found = shapes_.find(node.id());
  return found == shapes_.end() ? nullptr : &found->second;
}
