// Defines UsesOfGraph, which finds how a graph uses its values.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "model/model.hpp"

namespace tapestry::onnx {

/// How the nodes of a graph, and of the graphs within, use a value.
struct Uses {
  bool asAverage = false;
  bool asSetting = false;
  bool otherwise = false;
  /// The weight of a new value in the running average, by the first batch normalization that has it.
  double momentum = 0.1;
};

/// The uses of all values. A value that Identity or Cast passes on is used as its copies are.
class UsesOfGraph {
 public:
  /// Cost: linear in the graph.
  explicit UsesOfGraph(const Graph& graph) { add(graph); }
  Uses of(const std::string& name) const;

 private:
  void add(const Graph& graph);
  void add(const Node& node, std::size_t input);
  std::string originOf(const std::string& name) const;

  std::map<std::string, Uses> uses_;
  std::map<std::string, std::string> origins_;  ///< of the copies
};

/// Whether the output of the operation is its input, if that is known when the network is built.
inline bool isCopy(std::string_view operation) { return operation == "Identity" || operation == "Cast"; }

}  // namespace tapestry::onnx
