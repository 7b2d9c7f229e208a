#include "support/networks/random_graph.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

#include "support/networks/finite_differences.hpp"
#include "support/networks/random_operations.hpp"
#include "tapestry/deeplearning/operations/layout/embedding.hpp"
#include "tapestry/tensor/shape_error.hpp"

namespace tapestry::test {

namespace {

/// Such as broadcast with each other, and as can be multiplied.
const std::vector<Shape> shapes{{3},    {3},       {2, 3},          {2, 3}, {3, 2}, {2, 1},
                                {1, 3}, {2, 2, 3}, {2, 1, 1, 1, 3}, {0, 3}, {}};

std::string braced(std::string list) {
  list.front() = '{', list.back() = '}';
  return list;
}

std::string textOf(const Tensor<double>& value) {
  std::ostringstream text;
  text.precision(17);
  text << "Tensor<double>(" << braced(toString(value.shape())) << ", {";
  for (const char* separator = ""; const double element : value.values())
    text << std::exchange(separator, ", ") << element;
  text << "})";
  return text.str();
}

std::string textOf(double value) {
  std::ostringstream text;
  text.precision(17);
  text << value;
  return text.str();
}

/// The expression with the names of its operands.
std::string withNames(const std::string& expression, const RandomNode& a, const RandomNode& b) {
  std::string text;
  for (std::size_t i = 0; i < expression.size(); ++i)
    text += expression[i] != '$' ? expression.substr(i, 1) : expression[++i] == 'a' ? a.name : b.name;
  return text;
}

const std::vector<RandomOperation>& operationsFor(Random& random) {
  static const auto elementwise = elementwiseOperations();
  static const auto tensor = tensorOperations();
  static const auto network = networkOperations();
  const std::size_t kind = random.below(3);
  return kind == 0 ? elementwise : kind == 1 ? tensor : network;
}

bool moderate(const Tensor<double>& value) {
  return value.size() <= 100 &&
         std::ranges::all_of(value.values(), [](double element) { return std::abs(element) < 4; });
}

}  // namespace

RandomGraph::RandomGraph(unsigned seed) {
  Random random(seed);
  addWeights(random);
  const std::size_t size = nodes_.size() + 10 + random.below(31);
  while (nodes_.size() < size) addOperation(random);
  addLoss();
}

void RandomGraph::addWeights(Random& random) {
  const auto constant = [](const std::string& type, const std::string& name, const auto& data) {
    return "const " + type + " " + name + "(" + textOf(data) + ");";
  };
  for (std::size_t i = 0, count = 1 + random.below(2); i < count; ++i) {
    const auto& weight = scalars_.emplace_back(random.real(-2, 2));
    const std::string name = "s" + std::to_string(i);
    add(name, DoubleLayer(weight.node()), constant("DoubleWeight", name, weight.data()));
  }
  for (std::size_t i = 0, count = 2 + random.below(3); i < count; ++i) {
    const auto& weight = tensors_.emplace_back(random.tensor<double>(shapes[random.below(shapes.size())]));
    const std::string name = "t" + std::to_string(i);
    add(name, DoubleTensorLayer(weight.node()), constant("DoubleTensorWeight", name, weight.data()));
  }
  addTable(random);
  const double scalar = random.real(-2, 2);
  add("scalar", DoubleLayer(scalar), constant("DoubleLayer", "scalar", scalar));
  const auto tensor = random.tensor<double>({2, 3});
  add("tensor", DoubleTensorLayer(tensor), constant("DoubleTensorLayer", "tensor", tensor));
}

void RandomGraph::addTable(Random& random) {
  const auto rows = random.tensor<double>({3, 3});
  const auto& table = tables_.emplace_back(Table<double>(rows));
  text_ += "const DoubleTableWeight table(Table<double>(" + textOf(rows) + "));\n";
  for (const std::string name : {"e0", "e1"}) {
    const auto i = static_cast<std::int64_t>(random.below(3));
    const auto j = static_cast<std::int64_t>(random.below(3));
    add(name, embedding(table, {i, j}),
        "const auto " + name + " = embedding(table, {" + std::to_string(i) + ", " + std::to_string(j) +
            "});");
  }
}

void RandomGraph::addOperation(Random& random) {
  const auto& operations = operationsFor(random);
  const auto& operation = operations[random.below(operations.size())];
  const std::size_t a = random.below(nodes_.size());
  const std::size_t b = random.below(nodes_.size());
  try {
    const auto made = operation.make(random, nodes_[a], nodes_[b]);
    if (!made) return;
    const std::string name = "x" + std::to_string(nodes_.size());
    if (!add(name, made->layer,
             "const auto " + name + " = " + withNames(made->expression, nodes_[a], nodes_[b]) + ";"))
      return;
    consumed_[a] = true;
    if (operation.operands == 2) consumed_[b] = true;
  } catch (const ShapeError&) {
    // these two do not fit
  }
}

bool RandomGraph::add(const std::string& name, const RandomNode::AnyLayer& layer,
                      const std::string& statement) {
  const auto* scalar = std::get_if<DoubleLayer>(&layer);
  auto value =
      scalar ? Tensor<double>::scalar(valueOf(*scalar)) : valueOf(std::get<DoubleTensorLayer>(layer));
  if (!moderate(value)) return false;
  nodes_.push_back({name, layer, std::move(value)});
  consumed_.push_back(false);
  text_ += statement + "\n";
  return true;
}

void RandomGraph::addLoss() {
  text_ += "const auto loss = 0.0";
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (consumed_[i]) continue;
    loss_ = loss_ + std::visit([](const auto& layer) { return asLoss(layer); }, nodes_[i].layer);
    text_ += " + asLoss(" + nodes_[i].name + ")";
  }
  text_ += ";\n";
}

}  // namespace tapestry::test
