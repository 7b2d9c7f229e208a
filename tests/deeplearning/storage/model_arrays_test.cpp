// A model's arrays can be taken and set without a file.
#include "tapestry/deeplearning/storage/model_arrays.hpp"

#include <doctest/doctest.h>

#include <utility>

#include "support/error_text.hpp"
#include "tapestry/deeplearning.hpp"

using namespace tapestry;

namespace {

struct Twin {
  Weights weights() const { return {{"a", a}, {"b", b}}; }
  DoubleWeight a{1, momentum({.learningRate = 1})};
  TensorWeight b{Tensor<float>({2}, {1, 2}), sgd(1)};
};

}  // namespace

TEST_CASE("arrays of a model set another model, and its optimizers continue where the first has stopped") {
  const Twin first, second;
  train(first.a * 1.0 + sum(first.b)).blockingAwait();
  setModelArrays(second.weights(), modelArrays(first.weights()).blockingAwait()).blockingAwait();
  CHECK(second.a.data() == first.a.data());
  CHECK(second.b.data() == first.b.data());
  train(first.a * 1.0).blockingAwait();
  train(second.a * 1.0).blockingAwait();
  CHECK(second.a.data() == first.a.data());
}

TEST_CASE("a count without a number is refused") {
  const DoubleWeight weight{1, adam()};
  const Weights weights{{"a", weight}};
  auto arrays = modelArrays(weights).blockingAwait();
  for (auto& [name, array] : arrays.arrays)
    if (auto* const count = std::get_if<Integers>(&array)) count->values.clear();
  const auto text = test::errorOf([&] {
    setModelArrays(weights, arrays, {}, "rank 0").blockingAwait();
    return 0;
  });
  CHECK(text.find("no count, got I64 [], expected I64 [] of at least 0") != std::string::npos);
}

TEST_CASE("arrays that lack a weight set nothing, and the message names their origin") {
  const Twin model;
  auto arrays = modelArrays(model.weights(), {.optimizers = false}).blockingAwait();
  std::get<Tensor<double>>(arrays.arrays.at("a")) = Tensor<double>::scalar(7);
  arrays.arrays.erase("b");
  const auto text = test::errorOf([&] {
    setModelArrays(model.weights(), arrays, {}, "rank 0").blockingAwait();
    return 0;
  });
  CHECK(text.find("rank 0") != std::string::npos);
  CHECK(text.find("\"b\"") != std::string::npos);
  CHECK(model.a.data() == 1);
}
