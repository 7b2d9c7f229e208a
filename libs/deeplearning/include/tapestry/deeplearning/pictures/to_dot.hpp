// Defines toDot, which draws the graph of a network as a text for Graphviz.
#pragma once

#include <memory>
#include <string>

#include "tapestry/deeplearning/extend/graph.hpp"
#include "tapestry/deeplearning/pictures/pass_record.hpp"
#include "tapestry/deeplearning/weights.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// What a picture shows beside the nodes.
struct DotOptions {
  /// Shows the beginnings of values: of scalars, and the first elements of tensors.
  bool values = false;
  /// The names of the model's weights.
  Weights weights = {};
  /// A record of a pass that evaluated the layer, or null.
  std::shared_ptr<const PassRecord> pass = nullptr;
};

namespace detail {

std::string dotOf(const extend::Graph& graph, const DotOptions& options);

}  // namespace detail

/// Returns the graph in the language of Graphviz; `dot -Tsvg` makes a picture. Data flow downwards. Boxes
/// with the names of operations, their settings and the shapes of their results; coloured boxes for weights,
/// with their names, and grey ones for literals; a double border for nodes that several nodes use; a hexagon,
/// with its place in the source, for a layer that a program makes while a pass runs. Evaluates nothing.
///
/// With a record of a pass, the layers that programs have made are drawn, by bold arrows from the chosen
/// branch, and dotted arrows from the nodes that the program has asked for before. Grey and dashed are: nodes
/// that the pass has not evaluated, branches that were chosen in earlier passes of the record but not in this
/// one, and those of the weights that nothing in the picture uses, such as those of a branch that has never
/// been chosen.
std::string toDot(const Differentiable auto& layer, const DotOptions& options = {}) {
  return detail::dotOf(extend::graphOf(layer), options);
}
void toDot(...) = delete;  // expected a Differentiable, and maybe DotOptions

}  // namespace tapestry
#pragma GCC visibility pop
