#include <tapestry/deeplearning/extend/graph.hpp>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <tapestry/deeplearning.hpp>

namespace tapestry {

namespace {

using extend::Attributes;
using extend::Graph;
using extend::graphOf;
using extend::NodeKind;
using extend::NodeView;

using WholeNumbers = std::vector<std::int64_t>;

std::vector<std::string> namesOf(const Graph& graph) {
  std::vector<std::string> names;
  for (const NodeView& node : graph) names.emplace_back(node.name());
  return names;
}

template <class T>
T attribute(const NodeView& node, const std::string& name) {
  const Attributes attributes = node.details().attributes;
  const auto found = std::ranges::find(attributes, name, &Attributes::value_type::first);
  REQUIRE(found != attributes.end());
  return std::get<T>(found->second);
}

TensorWeight weightOf(const Shape& shape) { return TensorWeight(Tensor<float>::full(shape, 2), sgd(0.1)); }

}  // namespace

TEST_CASE("a graph lists operands before the operations that use them, and shared nodes once") {
  const DoubleWeight w(2.0, sgd(0.1));
  const auto square = w * w;
  const auto layer = square + exp(square);
  const Graph graph = graphOf(layer);
  CHECK(namesOf(graph) == std::vector<std::string>{"weight", "multiply", "exp", "add"});
  const auto operands = graph.root().operands();
  REQUIRE(operands.size() == 2);
  CHECK(operands[0] == graph[1]);
  CHECK(operands[1].operands()[0] == operands[0]);
  CHECK(graph[1].operands()[0] == graph[1].operands()[1]);
}

TEST_CASE("the labels of a softmaxCrossEntropy are known") {
  const Graph graph = graphOf(softmaxCrossEntropy(weightOf({2, 3}), {2, 0}));
  CHECK(graph.root().name() == "softmaxCrossEntropy");
  CHECK(attribute<Indices>(graph.root(), "labels") == Indices{2, 0});
}

TEST_CASE("shapes, types and values are known as far as they do not depend on a pass") {
  const auto w = weightOf({3, 2});
  const auto x = Tensor<float>::full({4, 3}, 1);
  const auto program = TensorLayer(forward(w).flatMap([](const auto& tape) { return forward(tape.data); }));
  const Graph graph = graphOf(matmul(x, w) + program);
  REQUIRE(namesOf(graph) == std::vector<std::string>{"literal", "weight", "matmul", "program", "add"});
  CHECK(graph[0].kind() == NodeKind::literal);
  CHECK(std::get<Tensor<float>>(graph[0].value()) == x);
  CHECK(graph[1].kind() == NodeKind::weight);
  CHECK(std::get<Tensor<float>>(graph[1].value()) == w.data());
  const auto product = graph[2].details();
  CHECK(product.kind == NodeKind::operation);
  CHECK(product.shape == Shape{4, 2});
  CHECK(product.multiplications == 24);
  CHECK(product.value.index() == 0);
  CHECK(graph[2].shape() == Shape{4, 2});
  CHECK(!graph.root().details().shape);
  CHECK(!graph.root().shape());
}

TEST_CASE(
    "a graph distinguishes programs from operations, and has the place where a program's layer was made") {
  const DoubleWeight w(2.0, sgd(0.1));
  const unsigned line = __LINE__ + 1;
  const DoubleLayer chosen(forward(w).flatMap([=](const auto&) { return forward(w * w); }));
  const Graph graph = graphOf(chosen);
  REQUIRE(graph.size() == 1);
  CHECK(graph.root().kind() == NodeKind::program);
  CHECK(graph.root().operands().empty());
  CHECK(graph.root().details().place.line() == line);
}

TEST_CASE("a weight in a graph is recognised") {
  const auto first = weightOf({2}), second = weightOf({2});
  const Graph graph = graphOf(first + second);
  CHECK(graph[0].is(extend::WeightId(first)));
  CHECK(!graph[0].is(extend::WeightId(second)));
  CHECK(graph[1].is(extend::WeightId(second)));
}

TEST_CASE("the rows of a table are copied on request") {
  const TableWeight table(Table<float>(Tensor<float>({2, 1}, std::vector<float>{1, 2})), sgd(0.1));
  const Graph graph = graphOf(embedding(table, {1, 1}));
  CHECK(graph[0].details().shape == Shape{2, 1});
  CHECK(std::get<Tensor<float>>(graph[0].value()).values()[1] == 2);
  CHECK(attribute<Indices>(graph.root(), "indices") == Indices{1, 1});
}

TEST_CASE("a tuple is one node of its parts") {
  const DoubleWeight w(2.0, sgd(0.1));
  CHECK(namesOf(graphOf(std::pair(w, exp(w)))) == std::vector<std::string>{"weight", "exp", "parts"});
}

TEST_CASE("the graph of a chain of a million operations needs no deep stack") {
  DoubleLayer layer = DoubleWeight(0.0, sgd(0.1)) + 0.0;
  for (int i = 0; i < 1'000'000; ++i) layer = -layer;
  CHECK(graphOf(layer).size() == 1'000'003);
}

TEST_CASE("operations state their settings") {
  const auto image = weightOf({1, 2, 5, 5}), filters = weightOf({3, 2, 3, 3});
  const auto convolved = graphOf(conv2d(image, filters, {.stride = 2, .padding = {1, 0}}));
  CHECK(attribute<WholeNumbers>(convolved.root(), "stride") == WholeNumbers{2, 2});
  CHECK(attribute<WholeNumbers>(convolved.root(), "padding") == WholeNumbers{1, 0});
  CHECK(attribute<std::int64_t>(convolved.root(), "groups") == 1);
  CHECK(convolved.root().details().multiplications == 3 * 3 * 2 * 18);
  const auto pooled = graphOf(maxPool2d(image, {.window = 2}));
  CHECK(attribute<WholeNumbers>(pooled.root(), "stride") == WholeNumbers{2, 2});

  const auto x = weightOf({2, 3});
  CHECK(attribute<WholeNumbers>(graphOf(sum(x, {-1}, true)).root(), "axes") == WholeNumbers{-1});
  CHECK(attribute<bool>(graphOf(sum(x, {-1}, true)).root(), "keepDims"));
  CHECK(attribute<std::string>(graphOf(max(x, Axes::all())).root(), "axes") == "all");
  CHECK(attribute<std::int64_t>(graphOf(softmax(x)).root(), "axis") == -1);
  CHECK(attribute<std::int64_t>(graphOf(concat(std::vector{x, x}, 1)).root(), "axis") == 1);
  CHECK(attribute<double>(graphOf(elu(x, 0.5)).root(), "alpha") == 0.5);
  CHECK(attribute<double>(graphOf(leakyRelu(x, 0.25)).root(), "slope") == 0.25);
  CHECK(attribute<double>(graphOf(layerNorm(x, {.epsilon = 0.5})).root(), "epsilon") == 0.5);
  CHECK(attribute<double>(graphOf(dropout(x, 0.5)).root(), "rate") == 0.5);
  CHECK(attribute<double>(graphOf(mean(std::vector{x, x})).root(), "factor") == 0.5);
  CHECK(attribute<WholeNumbers>(graphOf(reshape(x, {6})).root(), "shape") == WholeNumbers{6});
  CHECK(attribute<WholeNumbers>(graphOf(permute(x, {1, 0})).root(), "axes") == WholeNumbers{1, 0});
  CHECK(attribute<WholeNumbers>(graphOf(slice(x, {{0, 1}})).root(), "stops") == WholeNumbers{1});
  CHECK(attribute<WholeNumbers>(graphOf(pad(x, {{1, 2}})).root(), "after") == WholeNumbers{2});
  CHECK(attribute<std::string>(graphOf(where(x, x, x)).root(), "part") == "either");
  const auto product = graphOf(matmul(x, Transpose::yes, x, Transpose::no));
  CHECK(attribute<bool>(product.root(), "transposeX"));
  CHECK(product.root().details().multiplications == 18);
  const auto sums = graphOf(einsum("ij,kj->ik", x, x));
  CHECK(attribute<std::string>(sums.root(), "subscripts") == "ij,kj->ik");
  CHECK(sums.root().details().multiplications == 12);
}

TEST_CASE("the parts of a batch norm are distinguished, with the running statistics") {
  const BatchNorm<float> norm(2);
  const Graph graph = graphOf(norm(weightOf({4, 2})));
  std::map<std::string, NodeView> parts;
  for (const NodeView& node : graph)
    if (node.kind() == NodeKind::operation) parts.emplace(attribute<std::string>(node, "part"), node);
  REQUIRE(parts.size() == 3);
  CHECK(parts.contains("scale"));
  CHECK(parts.contains("shift"));
  CHECK(attribute<Tensor<float>>(parts.at("standardize"), "variance").values()[0] == 1);
}

}  // namespace tapestry
