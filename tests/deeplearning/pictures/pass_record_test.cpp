#include <tapestry/deeplearning/pictures/pass_record.hpp>

#include <algorithm>
#include <memory>

#include <doctest/doctest.h>
#include <tapestry/continuation/asio/thread_pool.hpp>
#include <tapestry/deeplearning.hpp>

namespace tapestry {

namespace {

std::size_t countNamed(const std::vector<detail::PictureNode>& nodes, const std::string& name) {
  return static_cast<std::size_t>(std::ranges::count(nodes, name, &detail::PictureNode::name));
}

/// exp(w) where w is positive, else sin(w).
DoubleLayer chooseBySign(const DoubleWeight& w) {
  return DoubleLayer(forward(w).flatMap(
      [w](const auto& tape) { return forward(tape.data > 0 ? DoubleLayer(exp(w)) : DoubleLayer(sin(w))); }));
}

}  // namespace

TEST_CASE("a record has the nodes of the latest pass with their values") {
  const DoubleWeight w(0.0, sgd(0.0));
  const auto layer = exp(w) + 1.0;
  const auto record = std::make_shared<PassRecord>();
  observed(predict(sin(w)), record).blockingAwait();
  observed(train(layer), record).blockingAwait();
  CHECK(record->passes() == 2);
  const auto nodes = record->nodes();
  CHECK(nodes.size() == 4);
  CHECK(countNamed(nodes, "sin") == 0);
  const auto sum = std::ranges::find(nodes, std::string("add"), &detail::PictureNode::name);
  REQUIRE(sum != nodes.end());
  CHECK(sum->value == "2");
}

TEST_CASE("a record has the layer that a program has made, and what the program has asked for") {
  const DoubleWeight w(1.0, sgd(0.0));
  const auto chosen = chooseBySign(w);
  const auto record = std::make_shared<PassRecord>();
  observed(predict(chosen), record).blockingAwait();
  const auto nodes = record->nodes();
  const auto program = std::ranges::find(nodes, std::string("program"), &detail::PictureNode::name);
  REQUIRE(program != nodes.end());
  CHECK(program->asked == std::vector<const void*>{w.node().get()});
  REQUIRE(program->operands.size() == 1);
  const auto made = std::ranges::find(nodes, program->operands[0], &detail::PictureNode::id);
  REQUIRE(made != nodes.end());
  CHECK(made->name == "exp");
  CHECK(record->otherBranches(program->id).empty());
}

TEST_CASE("a record keeps the branches that earlier passes have chosen") {
  const DoubleWeight w(1.0, sgd(0.0));
  const auto chosen = chooseBySign(w);
  const auto record = std::make_shared<PassRecord>();
  for (const double value : {1.0, 2.0, -1.0}) {
    w.setData(value);
    observed(predict(chosen), record).blockingAwait();
  }
  const auto others = record->otherBranches(chosen.node().get());
  REQUIRE(others.size() == 1);
  CHECK(others[0].passes == 2);
  REQUIRE(others[0].nodes.size() == 1);
  CHECK(others[0].nodes[0].name == "exp");
}

TEST_CASE("branches on several threads are recorded") {
  ThreadPool pool(2);
  const TensorWeight w(Tensor<float>::full({100'000}, 1), sgd(0.0));
  std::vector<TensorLayer> layers;
  for (int i = 0; i < 8; ++i) layers.push_back(exp(w * w));
  const auto record = std::make_shared<PassRecord>();
  observed(train(sum(sum(layers))), record).blockingAwait(pool);
  CHECK(countNamed(record->nodes(), "exp") == 8);
}

}  // namespace tapestry
