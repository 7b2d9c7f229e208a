#include <tapestry/deeplearning/pictures/to_dot.hpp>

#include <memory>
#include <string>

#include <doctest/doctest.h>
#include <tapestry/deeplearning.hpp>

namespace tapestry {

namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::size_t countOf(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

struct GateModel {
  DoubleWeight gate{1.0, sgd(0.0)};
  DoubleWeight left{2.0, sgd(0.0)};
  DoubleWeight right{3.0, sgd(0.0)};
  Weights weights() const { return {{"gate", gate}, {"left", left}, {"right", right}}; }
  DoubleLayer operator()() const {
    const auto score = tanh(gate);
    return DoubleLayer(forward(score).flatMap([*this, score](const auto& tape) {
      return forward(tape.data > 0 ? DoubleLayer(score * left) : DoubleLayer(score * exp(right)));
    }));
  }
};

}  // namespace

TEST_CASE("a picture tells weights, literals, operations and shared nodes apart, with shapes") {
  const TensorWeight w(Tensor<float>::full({3, 2}, 0.5F), sgd(0.1));
  const auto x = Tensor<float>::full({4, 3}, 1);
  const auto hidden = relu(matmul(x, w));
  const std::string dot = toDot(softmax(hidden) + hidden, {.weights = {{"dense", w}}});
  CHECK(dot.starts_with("digraph {\n"));
  CHECK(dot.ends_with("}\n"));
  CHECK(has(dot, "[label=\"dense\\n[3, 2]\", style=filled, fillcolor=\"#ffe0b3\"]"));
  CHECK(has(dot, "[label=\"literal\\n[4, 3]\", style=filled, fillcolor=\"#e8e8e8\"]"));
  CHECK(has(dot, "[label=\"softmax\\naxis -1\\n[4, 2]\"]"));
  CHECK(has(dot, "[label=\"relu\\n[4, 2]\", peripheries=2]"));
  CHECK(countOf(dot, "peripheries") == 1);
  CHECK(countOf(dot, " -> ") == 6);
  CHECK(!has(dot, "0.5"));
  CHECK(has(toDot(hidden, {.values = true}), "[0.5, 0.5, 0.5, 0.5, ...]"));
}

TEST_CASE("a node that one operation uses twice is not shared") {
  const DoubleWeight w(1.0, sgd(0.1));
  const auto y = exp(w);
  const std::string dot = toDot(y * y);
  CHECK(countOf(dot, " -> ") == 3);
  CHECK(!has(dot, "peripheries"));
}

TEST_CASE("a name of a weight is not read as an entity") {
  const DoubleWeight w(1.0, sgd(0.1));
  const std::string dot = toDot(exp(w), {.weights = {{"a&lt;b\"", w}}});
  CHECK(has(dot, "[label=\"a&amp;lt;b\\\"\\n[]\""));
}

TEST_CASE("a weight that nothing uses is drawn, but not the running averages of a normalization") {
  const DoubleWeight unused(1.0, sgd(0.1));
  const BatchNorm<> norm(2);
  const auto y = norm(Tensor<float>::zeros({4, 2}));
  CHECK(!has(toDot(y, {.weights = norm.weights()}), "dashed"));
  CHECK(has(toDot(y, {.weights = {{"norm", norm}, {"unused", unused}}}),
            "\"unused\\n[]\", style=\"filled,dashed\""));
}

TEST_CASE("the same network gives the same picture") {
  const DoubleWeight w(1.0, sgd(0.1));
  const auto layer = [&] { return exp(w) * sin(w) + 2.0; };
  CHECK(toDot(layer()) == toDot(layer()));
}

TEST_CASE("after a pass, chosen branches are drawn, and branches that were not chosen") {
  const GateModel model;
  const auto layer = model();
  const auto record = std::make_shared<PassRecord>();
  const auto draw = [&] {
    observed(train(layer), record).blockingAwait();
    return toDot(layer, {.values = true, .weights = model.weights(), .pass = record});
  };
  CHECK(countOf(toDot(layer), " -> ") == 0);

  const std::string first = draw();
  CHECK(countOf(first, "label=\"chosen\"") == 1);
  CHECK(countOf(first, "label=\"asked\"") == 1);
  CHECK(has(first, "tanh\\n[]\\n0.7616"));
  CHECK(has(first, "\"left\\n[]\\n2\", style=filled, fillcolor=\"#ffe0b3\"]"));
  CHECK(has(first, "\"right\\n[]\\n3\", style=\"filled,dashed\""));
  CHECK(!has(first, "exp"));

  model.gate.setData(-1);
  const std::string second = draw();
  CHECK(has(second, "exp"));
  CHECK(has(second, "not chosen, but in 1 pass before"));
  CHECK(has(second, "\"left\\n[]\\n2\", style=\"filled,dashed\""));
}

TEST_CASE("nodes that a pass has not evaluated are drawn as not taken") {
  const DoubleWeight w(1.0, sgd(0.1));
  const auto used = exp(w);
  const auto layer = used + sin(w);
  const auto record = std::make_shared<PassRecord>();
  observed(predict(used), record).blockingAwait();
  const std::string dot = toDot(layer, {.pass = record});
  CHECK(has(dot, "\"exp\\n[]\"]"));
  CHECK(has(dot, "\"sin\\n[]\", style=\"filled,dashed\""));
}

}  // namespace tapestry
