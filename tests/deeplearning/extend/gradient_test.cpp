// Forms of weights tell apart what must not be combined.
#include <doctest/doctest.h>

#include "tapestry/deeplearning.hpp"
#include "tapestry/deeplearning/extend/pass_gradients.hpp"

using namespace tapestry;
using extend::formOf;

TEST_CASE("a form has the type and the shape of the weight") {
  const auto scalar = formOf(DoubleWeight(1));
  CHECK(scalar.type == "F64");
  CHECK(scalar.shape == Shape{});
  const auto tensor = formOf(TensorWeight(Tensor<float>::zeros({2, 3})));
  CHECK(tensor.type == "F32");
  CHECK(tensor.gradient == Shape{2, 3});
  CHECK(!tensor.byRows);
}

TEST_CASE("the gradient of a table is rows") {
  const auto table = formOf(TableWeight(Table<float>(Tensor<float>::zeros({5, 2})), sgd(0.1)));
  CHECK(table.byRows);
  CHECK(table.shape == Shape{5, 2});
}

TEST_CASE("the observations of a running average have their number at the end") {
  CHECK(formOf(RunningAverage<Tensor<float>>(Tensor<float>::zeros({4}))).gradient == Shape{5});
}

TEST_CASE("forms distinguish rules and their settings") {
  const auto withRule = [](const auto& rule) { return formOf(DoubleWeight(0, rule)); };
  CHECK(withRule(sgd(0.1)) == withRule(sgd(0.1)));
  CHECK(withRule(sgd(0.1)) != withRule(sgd(0.2)));
  CHECK(withRule(adam({})) != withRule(sgd(0.1)));
  CHECK(withRule(adam({.beta2 = 0.9})) != withRule(adam({})));
  CHECK(withRule(chain(l2(0.1), sgd(0.1))) != withRule(sgd(0.1)));
  CHECK(withRule(sgd(0.1)).optimizer.starts_with("tapestry::Sgd "));
}

TEST_CASE("the state of an optimizer does not change the form") {
  const DoubleWeight weight(1, momentum({.learningRate = 0.1}));
  const auto before = formOf(weight);
  train(weight * 1.0).blockingAwait();
  CHECK(formOf(weight) == before);
}

namespace {

struct Opaque {
  Opaque& operator+=(const Opaque&) { return *this; }
};

struct KeepOpaque {
  template <class V>
  struct State {};
  Opaque step(const Opaque& weight, Opaque, State<Opaque>&) const { return weight; }
};

}  // namespace

TEST_CASE("data without a TensorForm has no type of elements") {
  CHECK(formOf(AnyWeight(detail::OwnWeight(Weight<Opaque>(Opaque(), KeepOpaque())))).type.empty());
}
