#include "uses.hpp"

#include <algorithm>

#include "call.hpp"

namespace tapestry::onnx {

namespace {

void addUses(const Graph& graph, const std::string& name, Uses& uses) {
  for (const Node& node : graph.nodes) {
    for (std::size_t i = 0; i < node.inputs.size(); ++i)
      if (node.inputs[i] == name)
        (isAverage(node.operation, i)   ? uses.asAverage
         : isSetting(node.operation, i) ? uses.asSetting
                                        : uses.otherwise) = true;
    for (const auto& attribute : node.attributes)
      if (const auto* branch = std::get_if<std::shared_ptr<const Graph>>(&attribute.value))
        addUses(**branch, name, uses);
  }
  for (const auto& output : graph.outputs) uses.otherwise |= output.name == name;
}

}  // namespace

Uses usesOf(const Graph& graph, const std::string& name) {
  Uses uses;
  addUses(graph, name, uses);
  return uses;
}

double momentumOf(const Graph& graph, const std::string& name) {
  for (const Node& node : graph.nodes)
    if (node.operation == "BatchNormalization" && std::ranges::find(node.inputs, name) != node.inputs.end())
      for (const auto& attribute : node.attributes)
        if (const auto* kept = std::get_if<float>(&attribute.value);
            kept && attribute.name == "momentum" && *kept >= 0 && *kept <= 1)
          return 1 - static_cast<double>(*kept);
  return 0.1;
}

}  // namespace tapestry::onnx
