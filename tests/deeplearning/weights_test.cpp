#include <tapestry/deeplearning/weights.hpp>

#include <concepts>
#include <stdexcept>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "tapestry/deeplearning/operations/arithmetic/add.hpp"
#include "tapestry/deeplearning/operations/arithmetic/multiply.hpp"
#include "tapestry/deeplearning/train.hpp"
#include "tapestry/tensor/kernels/arithmetic.hpp"
#include "tapestry/tensor/kernels/elementwise.hpp"

using namespace tapestry;

namespace {

struct Affine {
  TensorWeight weight = TensorWeight(Tensor<float>::zeros({2, 3}));
  TensorWeight bias = TensorWeight(Tensor<float>::zeros({3}));
  Weights weights() const { return {{"weight", weight}, {"bias", bias}}; }
};

struct Model {
  Affine first;
  std::vector<Affine> others = std::vector<Affine>(2);
  DoubleWeight scale = DoubleWeight(2.0);
  Weights weights() const { return {{"first", first}, {"others", others}, {"scale", scale}}; }
};

std::vector<std::string> namesOf(const Weights& weights) {
  std::vector<std::string> names;
  for (const auto& named : weights) names.push_back(named.name);
  return names;
}

}  // namespace

TEST_CASE("a model lists its weights and those of its parts, in order, under the names of the parts") {
  const Model model;
  CHECK(namesOf(model.weights()) == std::vector<std::string>{"first.weight", "first.bias", "others.0.weight",
                                                             "others.0.bias", "others.1.weight",
                                                             "others.1.bias", "scale"});
  CHECK(model.weights().size() == 7);
  CHECK(model.weights().elements() == 3 * 9 + 1);
  CHECK(namesOf(model) == namesOf(model.weights()));
}

namespace {
struct Endless {
  Endless weights() const { return {}; }
};
}  // namespace

TEST_CASE("a type whose weights are no Weights is no model") {
  static_assert(std::convertible_to<Model, Weights>);
  static_assert(!HasWeights<Endless> && !std::convertible_to<Endless, Weights>);
  static_assert(!std::convertible_to<int, Weights>);
}

TEST_CASE("a weight that two parts share is listed under both names and counted once") {
  const Affine affine;
  const Weights weights{{"encoder", affine}, {"decoder", affine}};
  CHECK(weights.size() == 4);
  CHECK(weights.elements() == 9);
}

TEST_CASE("a weight is found by its name") {
  const Model model;
  CHECK(std::get<DoubleWeight>(model.weights()["scale"]).data() == 2);
  CHECK_THROWS_WITH_AS(model.weights()["bias"],
                       "tapestry::Weights: no weight has that name, got \"bias\", expected one of 7 names",
                       std::out_of_range);
}

TEST_CASE("all weights of a model take an optimizer at once, and one of them another afterwards") {
  const DoubleWeight a(1.0);
  const FloatWeight b(1.0f);
  const Weights weights{{"a", a}, {"b", b}};
  weights.setOptimizer(sgd(0.5));
  b.setOptimizer(sgd(0.25));
  train(a * 1.0).blockingAwait();
  train(b * 1.0f).blockingAwait();
  CHECK(a.data() == 0.5);
  CHECK(b.data() == 0.75f);
}

namespace {

/// A tensor of another library, which wraps one of the host.
struct Sheet {
  using Value = float;
  struct Kernels;
  static Sheet full(const Shape& shape, float number) { return {Tensor<float>::full(shape, number)}; }
  const Shape& shape() const { return tensor.shape(); }
  Do<void> issued() const { return Do<void>::now(); }
  Tensor<float> tensor;
};

struct Sheet::Kernels {
  static Sheet negate(const Sheet& x) { return {kernels::negate(x.tensor)}; }
  static Sheet abs(const Sheet& x) { return {kernels::abs(x.tensor)}; }
  static Sheet sign(const Sheet& x) { return {kernels::sign(x.tensor)}; }
  static Sheet sqrt(const Sheet& x) { return {kernels::sqrt(x.tensor)}; }
  static Sheet add(const Sheet& a, const Sheet& b) { return {kernels::add(a.tensor, b.tensor)}; }
  static Sheet subtract(const Sheet& a, const Sheet& b) { return {kernels::subtract(a.tensor, b.tensor)}; }
  static Sheet multiply(const Sheet& a, const Sheet& b) { return {kernels::multiply(a.tensor, b.tensor)}; }
  static Sheet multiply(const Sheet& a, float b) { return {kernels::multiply(a.tensor, b)}; }
  static Sheet divide(const Sheet& a, const Sheet& b) { return {kernels::divide(a.tensor, b.tensor)}; }
  static Sheet maximum(const Sheet& a, const Sheet& b) { return {kernels::maximum(a.tensor, b.tensor)}; }
  static Sheet minimum(const Sheet& a, const Sheet& b) { return {kernels::minimum(a.tensor, b.tensor)}; }
  static void addInto(Sheet& sum, const Sheet& x) { kernels::addInto(sum.tensor, x.tensor); }
};

/// A rule that steps tensors of the host alone: it sets weights to 0.
struct Clearing {
  template <class V>
  struct State {};
  template <class V>
    requires(!OwnKernels<V>)
  V step(const V& weight, V, State<V>&) const {
    return detail::filledLike(weight, detail::ElementOf<V>(0));
  }
};

}  // namespace

TEST_CASE("a rule that does not take one of the weights is refused, and all weights keep their optimizers") {
  const DoubleWeight first(3, sgd(1)), last(3, sgd(1));
  const Weights weights{{"first", first}, {"sheet", Weight<Sheet>(Sheet::full({2}, 1))}, {"last", last}};
  CHECK_THROWS_AS(weights.setOptimizer(Clearing()), std::invalid_argument);
  train(first + last).blockingAwait();
  CHECK(first.data() == 2);
  CHECK(last.data() == 2);
  Weights{{"first", first}, {"last", last}}.setOptimizer(Clearing());
  train(first + last).blockingAwait();
  CHECK(first.data() == 0);
  CHECK(last.data() == 0);
}

TEST_CASE("names that are empty or stand twice are refused") {
  const DoubleWeight a(1.0);
  CHECK_THROWS_WITH_AS((Weights{{"a", a}, {"a", a}}),
                       "tapestry::Weights: a name occurs twice, got \"a\", expected each once",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS((Weights{{"", a}}),
                       "tapestry::Weights: a weight has no name, got \"\", expected one for each",
                       std::invalid_argument);
}
