#include "uses.hpp"

namespace tapestry::onnx {

namespace {

/// Whether the input of the operation is a running average.
bool isAverage(std::string_view operation, std::size_t input) {
  return operation == "BatchNormalization" && (input == 3 || input == 4);
}

/// Whether the input of the operation must be known when the network is built, so that it is no weight.
bool isSetting(std::string_view operation, std::size_t input) {
  return ((operation == "Clip" || operation == "Dropout") && input > 0) ||
         ((operation == "Pad" || operation == "OneHot" || operation == "SoftmaxCrossEntropyLoss" ||
           operation == "NegativeLogLikelihoodLoss") &&
          input == 2);
}

/// The momentum as the library has it.
double momentumOf(const Node& node) {
  for (const auto& attribute : node.attributes)
    if (const auto* kept = std::get_if<float>(&attribute.value);
        kept && attribute.name == "momentum" && *kept >= 0 && *kept <= 1)
      return 1 - static_cast<double>(*kept);
  return 0.1;
}

}  // namespace

Uses UsesOfGraph::of(const std::string& name) const {
  const auto found = uses_.find(name);
  return found == uses_.end() ? Uses{} : found->second;
}

void UsesOfGraph::add(const Graph& graph) {
  for (const Node& node : graph.nodes) {
    if (isCopy(node.operation) && node.inputs.size() == 1 && node.outputs.size() == 1)
      origins_.insert_or_assign(node.outputs[0], originOf(node.inputs[0]));
    else
      for (std::size_t i = 0; i < node.inputs.size(); ++i) add(node, i);
    forEachGraphIn(node, [&](const Graph& branch) { add(branch); });
  }
  for (const auto& output : graph.outputs) uses_[originOf(output.name)].otherwise = true;
}

void UsesOfGraph::add(const Node& node, std::size_t input) {
  Uses& uses = uses_[originOf(node.inputs[input])];
  if (isAverage(node.operation, input)) {
    if (!uses.asAverage) uses.momentum = momentumOf(node);
    uses.asAverage = true;
  } else {
    (isSetting(node.operation, input) ? uses.asSetting : uses.otherwise) = true;
  }
}

std::string UsesOfGraph::originOf(const std::string& name) const {
  const auto found = origins_.find(name);
  return found == origins_.end() ? name : found->second;
}

}  // namespace tapestry::onnx
