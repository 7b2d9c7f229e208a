#include "emitter.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace tapestry::onnx::exporting {

Emitter::Emitter(const std::vector<OnnxArgument>& inputs, const OnnxExportOptions& options)
    : arguments_(inputs), options_(options) {
  graph.name = "tapestry";
}

std::string Emitter::add(std::string_view operation, std::vector<std::string> inputs,
                         std::vector<Attribute> attributes) {
  std::string output = valueName();
  const std::string number = std::to_string(nodeNumber_++);
  nodes().push_back({std::string(operation),
                     std::string(operation) + number,
                     std::move(inputs),
                     {output},
                     std::move(attributes)});
  return output;
}

std::string Emitter::constant(const Tensor<float>& value) {
  return add("Constant", {}, {{"value", Array(value)}});
}

std::string Emitter::integers(const List& values) {
  return initializer(unused("setting" + std::to_string(values_++)), Integers{{values.size()}, values});
}

std::string Emitter::integers(const Indices& values) {
  for (const auto& [name, value] : arguments_)
    // the values of all empty Indices are at one address
    if (const auto* given = std::get_if<Indices>(&value);
        given && !values.values().empty() && given->values().data() == values.values().data()) {
      use(name);
      return name;
    }
  return initializer(unused("indices" + std::to_string(values_++)),
                     Integers{values.shape(), {values.values().begin(), values.values().end()}});
}

std::string Emitter::weight(extend::NodeView node, const Tensor<float>& value) {
  for (const auto& named : options_.weights)
    if (node.is(extend::WeightId(named.weight))) return initializer(named.name, value);
  std::string& name = weightNames_[node.id()];
  if (name.empty()) name = initializer(unused("weight" + std::to_string(weightNames_.size() - 1)), value);
  return name;
}

std::string Emitter::statistics(const Tensor<float>& value, const std::string& otherwise) {
  for (const auto& named : options_.weights)
    if (const auto* average = std::get_if<RunningAverage<Tensor<float>>>(&named.weight);
        average && average->data().identical(value))
      return initializer(named.name, value);
  return initializer(unused(otherwise), value);
}

Node* Emitter::lastOf(std::string_view operation, const std::string& output) {
  for (auto node = nodes().rbegin(); node != nodes().rend(); ++node)
    if (node->outputs.front() == output) return node->operation == operation ? &*node : nullptr;
  return nullptr;
}

List Emitter::reshaped(const Shape& from, const Shape& to) const {
  List extents(to.begin(), to.end());
  for (std::size_t axis = 0; axis < to.rank(); ++axis)
    if (to[axis] == 0 && (axis >= from.rank() || from[axis] != 0))
      throw std::invalid_argument("tapestry::exportOnnx: a shape without elements cannot be written, got " +
                                  toString(from) + " to " + toString(to) +
                                  ", expected an extent of 0 only where there was one before");
  if (anyBatch() && from.rank() > 0 && to.rank() > 0 && from[0] == to[0]) extents[0] = 0;
  return extents;
}

std::string Emitter::initializer(std::string name, Array value) {
  if (initializers_.insert(name).second) graph.initializers.push_back({name, std::move(value)});
  return name;
}

std::string Emitter::unused(const std::string& name) const {
  const auto taken = [&](const std::string& own) {
    const auto isIt = [&](const auto& named) { return named.name == own; };
    return initializers_.contains(own) || std::ranges::any_of(arguments_, isIt) ||
           std::ranges::any_of(options_.weights, isIt) ||
           std::ranges::find(options_.outputs, own) != options_.outputs.end();
  };
  std::string own = name;
  while (taken(own)) own += "_";
  return own;
}

std::string Operation::exchanged(const std::string& x, std::size_t rank, std::size_t one,
                                 std::size_t other) const {
  List order(rank);
  std::iota(order.begin(), order.end(), 0);
  std::swap(order[one], order[other]);
  return add("Transpose", {x}, {{"perm", order}});
}

bool Operation::has(std::string_view key) const {
  return std::ranges::any_of(details.attributes, [&](const auto& own) { return own.first == key; });
}

const Shape& Operation::operand(std::size_t index) const {
  const auto& known = details.operands.at(index);
  if (!known)
    fail(
        "has an operand whose shape is not known, got a layer that depends on a pass, expected inputs of "
        "known shapes");
  return *known;
}

const Shape& Operation::shape() const {
  if (!details.shape) fail("has a shape that is not known, expected inputs of known shapes");
  return *details.shape;
}

std::int64_t Operation::axis(std::int64_t axis, std::size_t rank) const {
  return axis < 0 ? axis + static_cast<std::int64_t>(rank) : axis;
}

void Operation::fail(const std::string& problem) const {
  throw std::invalid_argument("tapestry::exportOnnx: the operation " + name + " " + problem);
}

}  // namespace tapestry::onnx::exporting
