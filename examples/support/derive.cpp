#include "support/derive.hpp"

#include <cmath>
#include <memory>
#include <utility>

#include "support/formulas.hpp"
#include "support/text.hpp"

namespace tapestry::examples {
namespace {

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

DoubleLayer layerOf(const Expression& expression, const Expression::Node& node,
                    const std::vector<DoubleLayer>& layers, const std::map<std::string, double>& variables) {
  if (node.kind == Expression::Kind::number) return node.number;
  if (node.kind == Expression::Kind::variable) {
    const auto found = variables.find(node.name);
    if (found == variables.end())
      throw expression.error(
          node.place, "this variable has no value, expected " + node.name + "=NUMBER after the expression");
    return DoubleLayer(DoubleWeight(found->second).node());
  }
  const auto operand = [&](std::size_t i) { return layers[node.operands[i].node]; };
  if (node.operands.size() == 1) return Formulas::unary().at(node.name)(operand(0));
  return Formulas::binary().at(node.name)(operand(0), operand(1));
}

// [watch]
/// An operation of one's own, which passes on its value, and on the way back its delta, and keeps both.
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
  std::vector<DoubleLayer> layers;
  for (std::size_t i = 0; i < size; ++i)
    layers.push_back(watch(layerOf(expression, expression.nodes[i], layers, variables), derivation, i));
  return gradients(layers.back()).map([derivation](const Gradients<double>&) { return derivation->nodes; });
}

}  // namespace tapestry::examples
