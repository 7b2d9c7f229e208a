#include <tapestry/deeplearning/count_pass.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <stdexcept>

#include "support/error_text.hpp"
#include "support/networks/late_layer.hpp"
#include "support/networks/send_back.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/deeplearning.hpp"

using namespace tapestry;

namespace {

template <class A>
PassCounts countsOf(const Do<A>& program) {
  return countPass(program).blockingAwait().second;
}

/// 2 * depth operations, each of which has two consumers.
DoubleLayer diamonds(const DoubleWeight& weight, int depth) {
  DoubleLayer layer = weight * 1.0;
  for (int i = 1; i < 2 * depth; ++i) layer = i % 2 == 0 ? layer * 0.5 : layer + layer;
  return layer;
}

}  // namespace

TEST_CASE("a program's value comes with the counts of its pass") {
  const DoubleWeight weight(3, sgd(1));
  const auto [loss, counts] = countPass(train(weight * 2.0)).blockingAwait();
  CHECK(loss == 6);
  CHECK(counts.forwards == 1);
  CHECK(counts.backwards == 1);
  CHECK(counts.steps == 1);
}

TEST_CASE("diamonds of any depth run each operation forward once and backward once") {
  for (const std::size_t depth : {1, 10, 1'000}) {
    const DoubleWeight weight(2, sgd(1));
    const auto loss = diamonds(weight, static_cast<int>(depth));
    const auto training = countsOf(train(loss));
    CHECK(training.forwards == 2 * depth);
    CHECK(training.backwards == 2 * depth);
    CHECK(training.steps == 1);
    const auto differentiating = countsOf(gradients(loss));
    CHECK(differentiating.forwards == 2 * depth);
    CHECK(differentiating.backwards == 2 * depth);
    CHECK(differentiating.steps == 0);
  }
}

TEST_CASE("diamonds on a pool count the same") {
  ThreadPool pool(2);
  const DoubleWeight weight(2, sgd(1));
  const auto counts = countPass(train(diamonds(weight, 1'000))).blockingAwait(pool).second;
  CHECK(counts.forwards == 2'000);
  CHECK(counts.backwards == 2'000);
  CHECK(counts.steps == 1);
}

TEST_CASE("predict runs no backward and takes no step") {
  const DoubleWeight weight(2, sgd(1));
  const auto counts = countsOf(predict(diamonds(weight, 10)));
  CHECK(counts.forwards == 20);
  CHECK(counts.backwards == 0);
  CHECK(counts.steps == 0);
}

TEST_CASE("a weight that is used many times takes one step, and each weight its own") {
  const DoubleWeight a(1, sgd(0.1));
  const DoubleWeight b(2, sgd(0.1));
  const DoubleWeight unused(3, sgd(0.1));
  CHECK(countsOf(train(a * a * a + b * a + sum(std::vector{a, a, b}))).steps == 2);
  CHECK(countsOf(train(a * 2.0, b * 1.0, unused)).steps == 1);
}

TEST_CASE("a layer that depends on literals alone runs no backward") {
  const DoubleWeight weight(2, sgd(1));
  const auto counts = countsOf(train(weight * (DoubleLayer(2.0) * 3.0)));
  CHECK(counts.forwards == 2);
  CHECK(counts.backwards == 1);
}

TEST_CASE("a layer that a program makes counts as one") {
  const DoubleWeight weight(2, sgd(1));
  const auto late = test::lateLayer(weight * 2.0);
  const auto counts = countsOf(train(late + late));
  CHECK(counts.forwards == 3);
  CHECK(counts.backwards == 3);
  CHECK(counts.steps == 1);
}

TEST_CASE("the counts of a program include all of its passes, and are 0 without a pass") {
  const DoubleWeight weight(2, sgd(1));
  const auto one = train(weight * 2.0);
  CHECK(countsOf(one.flatMap([one](double) { return one; })).steps == 2);
  CHECK(countPass(Do<void>::now()).blockingAwait().forwards == 0);
  CHECK(countsOf(withPass(test::sendBack(weight * 2.0))).backwards == 1);
}

TEST_CASE("a pass that fails takes no step, and its error is the program's") {
  const DoubleWeight weight(2, sgd(1));
  const auto failing = unaryOperation<"failing", Keep::nothing>(
      [](double x) { return x; }, [](double) -> double { throw std::runtime_error("derivative"); });
  const auto program = train(failing(weight)).attempt().map([](const Try<double>& result) {
    return test::errorText(result.error());
  });
  const auto [error, counts] = countPass(program).blockingAwait();
  CHECK(error == "derivative");
  CHECK(counts.forwards == 1);
  CHECK(counts.steps == 0);
}

TEST_CASE("passes that run one after the other hold as many tensors and bytes each, and leave none") {
  const TensorWeight weight(Tensor<float>::full({1000}, 1), momentum({.learningRate = 0.01}));
  const auto loss = sum(relu(weight * 2.0F) * weight);
  train(loss).blockingAwait();
  const auto first = countsOf(train(loss));
  CHECK(first.mostTensors >= 3);
  CHECK(first.mostBytes >= 3 * 1000 * sizeof(float));
  CHECK(first.leftTensors == 0);
  CHECK(first.leftBytes == 0);
  for (int i = 0; i < 20; ++i) {
    const auto next = countsOf(train(loss));
    CHECK(next.mostTensors == first.mostTensors);
    CHECK(next.mostBytes == first.mostBytes);
    CHECK(next.leftTensors == 0);
  }
}

TEST_CASE("a result that is a tensor is left") {
  const TensorWeight weight(Tensor<float>::full({1000}, 1));
  const auto counts = countsOf(predict(weight * 2.0F));
  CHECK(counts.leftTensors == 1);
  CHECK(counts.leftBytes >= 1000 * sizeof(float));
  CHECK(counts.leftBytes < 1100 * sizeof(float));
}

TEST_CASE("predict of a long chain holds a few tensors, gradients one for each derivative that keeps one") {
  const TensorWeight weight(Tensor<float>::full({1000}, 1));
  auto layer = exp(weight * 0.001F);
  for (int i = 0; i < 30; ++i) layer = exp(layer * 0.001F);
  const auto loss = sum(layer);
  layer = TensorLayer(Tensor<float>());
  CHECK(countsOf(predict(loss)).mostTensors <= 3);
  const auto most = countsOf(gradients(loss)).mostTensors;
  CHECK(most >= 31);
  CHECK(most <= 35);
}
