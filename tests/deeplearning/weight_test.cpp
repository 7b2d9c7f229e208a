#include <doctest/doctest.h>

#include <array>
#include <vector>

#include <functional>
#include <stdexcept>

#include "support/networks/evaluations.hpp"
#include "tapestry/deeplearning.hpp"

using namespace tapestry;

namespace {

/// Plain descent, in the midst of which something happens.
struct Interrupted {
  template <class V>
  struct State {};
  double step(double weight, double gradient, State<double>&) const {
    meanwhile();
    return weight - gradient;
  }
  const std::function<void()>& meanwhile;
};

/// Plain descent of each of several tensors.
struct DescentOfEach {
  template <class V>
  struct State {};
  template <class V>
  V step(V weights, const V& gradients, State<V>&) const {
    for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = kernels::subtract(weights[i], gradients[i]);
    return weights;
  }
};

template <class Tensors>
void checkTensors(const Tensors& initial) {
  const Weight<Tensors> weight(initial, DescentOfEach());
  const auto firstOf =
      unaryOperation<"first", Keep::nothing, ToScalar>([](const Tensors& data) { return data[0]; },
                                                       [](const Tensor<float>& delta) {
                                                         return Tensors{delta, Tensor<float>::zeros({1})};
                                                       });
  const auto loss = sum(firstOf(weight));
  CHECK(gradients(loss).blockingAwait().of(weight)[0] == Tensor<float>({2}, {1, 1}));
  train(loss).blockingAwait();
  CHECK(weight.data()[0] == Tensor<float>({2}, {0, 1}));
  CHECK(weight.data()[1] == Tensor<float>({1}, {3}));
}

}  // namespace

TEST_CASE("a weight has the data that it was made with, until a step or setData") {
  const DoubleWeight weight(3, sgd(1));
  const DoubleWeight same = weight;
  CHECK(weight.data() == 3);
  weight.setData(5);
  CHECK(same.data() == 5);
  CHECK(train(same).blockingAwait() == 5);
  CHECK(weight.data() == 4);
}

TEST_CASE("a weight without an optimizer takes steps of 0.01") {
  const DoubleWeight weight(1);
  train(weight * 2.0).blockingAwait();
  CHECK(weight.data() == doctest::Approx(0.98));
}

TEST_CASE("setData rejects a tensor of another shape") {
  const TensorWeight weight(Tensor<float>({2}, {1, 2}));
  CHECK_THROWS_AS(weight.setData(Tensor<float>({3}, {1, 2, 3})), ShapeError);
  CHECK(weight.data() == Tensor<float>({2}, {1, 2}));
}

TEST_CASE("setData keeps the state of the optimizer, setOptimizer does not") {
  const DoubleWeight weight(0, momentum({.learningRate = 1, .momentum = 0.5}));
  train(weight).blockingAwait();
  weight.setData(10);
  train(weight).blockingAwait();
  CHECK(weight.data() == 10 - 1.5);
  weight.setOptimizer(momentum({.learningRate = 1, .momentum = 0.5}));
  train(weight).blockingAwait();
  CHECK(weight.data() == 10 - 2.5);
}

TEST_CASE("data that was read before a step is not changed by it") {
  const TensorWeight weight(Tensor<float>({2}, {1, 2}), sgd(1));
  const auto before = weight.data();
  const auto loss = sum(weight * weight);
  CHECK(train(loss, weight).blockingAwait() == std::tuple(5.0, Tensor<float>({2}, {1, 2})));
  CHECK(before == Tensor<float>({2}, {1, 2}));
  CHECK(weight.data() == Tensor<float>({2}, {-1, -2}));
}

TEST_CASE("an optimizer that is set while a pass is under way rules from the next one on") {
  const DoubleWeight weight(10, momentum({.learningRate = 1, .momentum = 1}));
  test::Evaluations count;
  train(weight).blockingAwait();
  count.onBackward = [&] { weight.setOptimizer(sgd(0.5)); };
  train(count(weight)).blockingAwait();
  count.onBackward = [] {};
  const double before = weight.data();
  train(count(weight)).blockingAwait();
  CHECK(weight.data() == before - 0.5);
}

TEST_CASE("floats, doubles and tensors of both can be weights") {
  const FloatWeight single(1.0F, sgd(0.5));
  const DoubleTensorWeight tensor(Tensor<double>({2}, {1, 2}), sgd(0.5));
  CHECK(train(sum(tensor) + single).blockingAwait() == 4);
  CHECK(single.data() == 0.5F);
  CHECK(tensor.data() == Tensor<double>({2}, {0.5, 1.5}));
}

TEST_CASE("a value that is set while a step is prepared is not overwritten by the step") {
  std::function<void()> meanwhile;
  const DoubleWeight weight(1, Interrupted{meanwhile});
  meanwhile = [&] { weight.setData(100); };
  CHECK(train(weight * 1.0).blockingAwait() == 1);
  CHECK(weight.data() == 100);
  meanwhile = [] {};
  CHECK(train(weight * 1.0).blockingAwait() == 100);
  CHECK(weight.data() == 99);
}

namespace {

/// Data that is moved, not copied, where that can be done.
struct Polynomial {
  std::vector<double> coefficients;
};
struct NoRule {
  template <class V>
  struct State {};
  template <class V>
  V step(const V& weight, const auto&, State<V>&) const {
    return weight;
  }
};

}  // namespace

template <>
struct tapestry::DeltaTraits<Polynomial> {
  using Type = double;
};

TEST_CASE("the data of a weight of any type stays in it") {
  const Weight<Polynomial> w(Polynomial{{1, 2, 3}}, NoRule());
  CHECK(w.data().coefficients.size() == 3);
  CHECK(w.data().coefficients.size() == 3);
}

TEST_CASE("a vector or an array of tensors is a weight") {
  const Tensor<float> first({2}, {1, 2}), second({1}, {3});
  checkTensors(std::vector{first, second});
  checkTensors(std::array{first, second});
}
