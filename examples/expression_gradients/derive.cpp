#include "expression_gradients/derive.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <utility>

#include "expression_gradients/formulas.hpp"
#include "support/text.hpp"

namespace tapestry::examples {
namespace {

/// The layers of the nodes so far, and which nodes depend on a variable.
struct Layers {
  std::vector<DoubleLayer> all;
  std::vector<bool> vary;
};

struct Derivation {
  Expression expression;
  std::vector<Derived> nodes;

  double keepValue(std::size_t node, double value) {
    if (!std::isfinite(value)) throw notFinite(expression.nodes[node], value);
    return nodes[node].value = value;
  }

  double keepGradient(std::size_t node, double gradient) {
    if (!std::isfinite(gradient))
      throw expression.error(expression.nodes[node].place,
                             "the derivative with respect to this is not finite, got " + shortest(gradient));
    nodes[node].gradient = gradient;
    return gradient;
  }

  InputError notFinite(const Expression::Node& node, double value) const {
    if (node.name == "/" && nodes[node.operands[1].node].value == 0)
      return expression.error(node.operands[1].place, "division by zero");
    return expression.error(node.place, "the value of this is not finite, got " + shortest(value));
  }
};

/// What the library wants to know when the layer is made.
double constantOf(const Expression& expression, const Expression::Operand& operand, const Layers& layers) {
  if (layers.vary[operand.node])
    throw expression.error(operand.place, "this argument is a constant, expected no variable in it");
  return predict(layers.all[operand.node]).blockingAwait();
}

DoubleLayer layerOf(const Expression& expression, const Expression::Node& node, const Layers& layers,
                    const std::map<std::string, double>& variables) {
  if (node.kind == Expression::Kind::number) return node.number;
  if (node.kind == Expression::Kind::variable) {
    const auto found = variables.find(node.name);
    if (found == variables.end())
      throw expression.error(
          node.place, "this variable has no value, expected " + node.name + "=NUMBER after the expression");
    return DoubleLayer(DoubleWeight(found->second).node());
  }
  const Formula& formula = formulas().at(node.name);
  Formula::Layers operands;
  Formula::Constants constants;
  for (const auto& operand : node.operands)
    if (operands.size() < formula.layers)
      operands.push_back(layers.all[operand.node]);
    else
      constants.push_back(constantOf(expression, operand, layers));
  try {
    return formula.make(operands, constants);
  } catch (const std::invalid_argument& error) {
    throw expression.error(node.place, error.what());
  }
}

// [watch]
/// A user-defined operation that returns its operand's value and delta unchanged, and stores both.
DoubleLayer watch(const DoubleLayer& layer, const std::shared_ptr<Derivation>& derivation, std::size_t node) {
  return unaryOperation<"watch", Keep::nothing>(
      [=](double value) { return derivation->keepValue(node, value); },
      [=](double delta) { return derivation->keepGradient(node, delta); })(layer);
}
// [/watch]

}  // namespace

Do<std::vector<Derived>> derive(const Expression& expression,
                                const std::map<std::string, double>& variables) {
  const std::size_t size = expression.nodes.size();
  const auto derivation = std::make_shared<Derivation>(Derivation{expression, std::vector<Derived>(size)});
  Layers layers;
  for (std::size_t i = 0; i < size; ++i) {
    const Expression::Node& node = expression.nodes[i];
    layers.all.push_back(watch(layerOf(expression, node, layers, variables), derivation, i));
    layers.vary.push_back(node.kind == Expression::Kind::variable ||
                          std::ranges::any_of(node.operands, [&](const Expression::Operand& operand) {
                            return layers.vary[operand.node];
                          }));
  }
  return gradients(layers.all.back()).map([derivation](const Gradients<double>&) {
    return derivation->nodes;
  });
}

}  // namespace tapestry::examples
