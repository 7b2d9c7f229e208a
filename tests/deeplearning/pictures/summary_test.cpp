#include <tapestry/deeplearning/pictures/summary.hpp>

#include <memory>
#include <string>

#include <doctest/doctest.h>
#include <tapestry/deeplearning.hpp>

namespace tapestry {

namespace {

struct TwoLayers {
  Generator generator{1};
  Dense<float> first{3, 4, generator};
  Dense<float> second{4, 4, generator};
  Weights weights() const { return {{"first", first}, {"second", second}}; }
};

}  // namespace

TEST_CASE("a summary has shapes, weights, memory and multiplications of each layer") {
  const TwoLayers model;
  const auto x = Tensor<float>::full({5, 3}, 1);
  const auto layer = relu(model.second(relu(model.first(x))));
  const Summary all = summary(layer, {.weights = model.weights()});
  REQUIRE(all.rows.size() == 3);
  CHECK(all.rows[0].weights == "first.weight, first.bias");
  CHECK(all.rows[0].shape == Shape{5, 4});
  CHECK(all.rows[0].elements == 16);
  CHECK(all.rows[0].multiplications == 5 * 3 * 4);
  CHECK(all.rows[1].layer == "relu");
  CHECK(all.rows[1].times == 2);
  CHECK(all.rows[1].bytes == 2 * 5 * 4 * sizeof(float));
  CHECK(all.elements == 36);
  CHECK(all.weightBytes == 36 * sizeof(float));
  CHECK(all.multiplications == 5 * 3 * 4 + 5 * 4 * 4);
  CHECK(all.table().find("second.weight, second.bias") != std::string::npos);
}

TEST_CASE("a weight that several layers use counts once in the sum") {
  const TensorWeight w(Tensor<float>::full({2, 2}, 1), sgd(0.1));
  const auto x = Tensor<float>::full({1, 2}, 1);
  const Summary all = summary(matmul(matmul(x, w), w));
  CHECK(all.elements == 4);
  REQUIRE(all.rows.size() == 1);
  CHECK(all.rows[0].times == 2);
  CHECK(all.rows[0].elements == 4);
}

TEST_CASE("layers with different weights have rows of their own, also if the weights have equal names") {
  Generator generator(1);
  const Dense<float> first(4, 4, generator), second(4, 4, generator);
  const auto x = Tensor<float>::full({1, 4}, 1);
  const Summary all = summary(second(first(x)));
  REQUIRE(all.rows.size() == 2);
  for (const Summary::Row& row : all.rows) {
    CHECK(row.weights == "weight, weight");
    CHECK(row.times == 1);
    CHECK(row.elements == 20);
  }
  CHECK(summary(first(first(x))).rows.size() == 1);
}

TEST_CASE("with a record, the layers that programs make are in the summary") {
  const TwoLayers model;
  const auto x = Tensor<float>::full({5, 3}, 1);
  const auto hidden = model.first(x);
  const TensorLayer layer(
      forward(hidden).flatMap([=](const auto& tape) { return forward(model.second(tape.data)); }));
  const auto record = std::make_shared<PassRecord>();
  CHECK(summary(layer).multiplications == 0);
  observed(predict(layer), record).blockingAwait();
  const Summary all = summary(layer, {.weights = model.weights(), .pass = record});
  CHECK(all.multiplications == 5 * 3 * 4 + 5 * 4 * 4);
  CHECK(all.elements == 36);
  CHECK(all.rows.back().layer.starts_with("program (summary_test.cpp:"));
}

}  // namespace tapestry
