#include <tapestry/deeplearning/optimizer.hpp>

#include <doctest/doctest.h>

#include <stdexcept>
#include <vector>

#include "deeplearning/unlisted_state.hpp"
#include "tapestry/deeplearning/operations/activation/tanh.hpp"
#include "tapestry/deeplearning/operations/arithmetic/add.hpp"
#include "tapestry/deeplearning/operations/arithmetic/multiply.hpp"
#include "tapestry/deeplearning/operations/reduction/sum.hpp"
#include "tapestry/deeplearning/optimizers/adam.hpp"
#include "tapestry/deeplearning/optimizers/clip_by_value.hpp"
#include "tapestry/deeplearning/optimizers/l2.hpp"
#include "tapestry/deeplearning/optimizers/momentum.hpp"
#include "tapestry/deeplearning/optimizers/warm_up.hpp"
#include "tapestry/deeplearning/optimizers/weight_decay.hpp"
#include "tapestry/deeplearning/train.hpp"
#include "tapestry/tensor/kernels/arithmetic.hpp"

using namespace tapestry;

namespace {

/// The gradient times the number of the step.
struct Louder {
  template <class V>
  struct State {
    int steps = 0;
  };

  template <class V>
  V transform(V gradient, const V&, State<V>& state) const {
    return kernels::scale(std::move(gradient), static_cast<detail::ElementOf<V>>(++state.steps));
  }
};

/// Counts its steps, and fails where the gradient is negative.
struct Careful {
  template <class V>
  struct State {
    int steps = 0;
  };

  double step(const double& weight, double gradient, State<double>& state) const {
    ++state.steps;
    if (gradient < 0) throw std::runtime_error("negative");
    return weight + 100 * state.steps;
  }
};

static_assert(OptimizerRule<Sgd, double>);
static_assert(OptimizerRule<Momentum, Tensor<float>>);
static_assert(OptimizerRule<Adam, Tensor<double>>);
static_assert(OptimizerRule<Careful, double>);
static_assert(!OptimizerRule<Careful, float>);
static_assert(!OptimizerRule<L2, double> && !OptimizerRule<WeightDecay, double>);
static_assert(StepTransformation<WeightDecay, Tensor<float>> && !GradientTransformation<WeightDecay, double>);
static_assert(!StepTransformation<L2, double> && !StepTransformation<Sgd, double>);
static_assert(!OptimizerRule<int, double>);
static_assert(GradientTransformation<L2, Tensor<float>> && !GradientTransformation<Sgd, double>);
static_assert(OptimizerRule<decltype(chain(L2{}, Louder{}, sgd(1))), float>);
static_assert(OptimizerRule<decltype(chain(WeightDecay{0}, sgd(1))), float>);
static_assert(!OptimizerRule<decltype(chain(sgd(1), L2{})), float>);
static_assert(!OptimizerRule<decltype(chain(sgd(1), WeightDecay{0})), float>);
static_assert(!OptimizerRule<decltype(chain(sgd(1), sgd(1))), float>);
static_assert(std::is_convertible_v<Sgd, Optimizer<double>>);
static_assert(!std::is_convertible_v<double, Optimizer<double>>);

void trainOnce(const DoubleWeight& weight, double gradient) { train(weight * gradient).blockingAwait(); }

}  // namespace

TEST_CASE("a user-defined rule trains a weight, and keeps a state for it") {
  const DoubleWeight first(0, Careful());
  const DoubleWeight second(0, Careful());
  trainOnce(first, 1);
  trainOnce(first, 1);
  trainOnce(second, 1);
  CHECK(first.data() == 300);
  CHECK(second.data() == 100);
}

TEST_CASE("a rule that throws fails the training, and neither the weight nor its state changes") {
  const DoubleWeight weight(0, Careful());
  trainOnce(weight, 1);
  CHECK_THROWS_WITH_AS(trainOnce(weight, -1), "negative", std::runtime_error);
  CHECK(weight.data() == 100);
  trainOnce(weight, 1);
  CHECK(weight.data() == 300);
}

TEST_CASE("a chain applies its transformations in order, then its rule") {
  const DoubleWeight decayedFirst(2, chain(L2{0.5}, Louder(), sgd(1)));
  trainOnce(decayedFirst, 3);
  CHECK(decayedFirst.data() == -2);  // 2 - 1 * (3 + 0.5 * 2)
  trainOnce(decayedFirst, 3);
  CHECK(decayedFirst.data() == -6);  // -2 - 2 * (3 + 0.5 * -2)

  const DoubleWeight decayedLast(2, chain(Louder(), L2{0.5}, sgd(1)));
  trainOnce(decayedLast, 3);
  CHECK(decayedLast.data() == -2);
  trainOnce(decayedLast, 3);
  CHECK(decayedLast.data() == -7);  // -2 - (2 * 3 + 0.5 * -2)
}

TEST_CASE("a chain works on tensors, and around a rule that has a state") {
  const DoubleTensorWeight weight(Tensor<double>({2}, {1, 2}),
                                  chain(L2{1}, momentum({.learningRate = 1, .momentum = 0.5})));
  train(sum(weight)).blockingAwait();
  CHECK(weight.data() == Tensor<double>({2}, {-1, -1}));  // velocity 2, 3
  train(sum(weight)).blockingAwait();
  CHECK(weight.data() == Tensor<double>({2}, {-2, -2.5}));  // velocity 1, 1.5
}

TEST_CASE("a chain of a rule alone is the rule") {
  const DoubleWeight weight(0, chain(sgd(0.5)));
  trainOnce(weight, 4);
  CHECK(weight.data() == -2);
}

TEST_CASE("a chain can be chained") {
  const DoubleWeight weight(1, chain(Louder(), chain(L2{1}, sgd(1))));
  trainOnce(weight, 2);
  CHECK(weight.data() == -2);
}

TEST_CASE("an optimizer is one value for many weights, of which each has its own state") {
  const Optimizer<double> optimizer = chain(Louder(), sgd(1));
  const DoubleWeight first(0, optimizer);
  const DoubleWeight second(0, optimizer);
  trainOnce(first, 1);
  trainOnce(first, 1);
  trainOnce(second, 1);
  CHECK(first.data() == -3);
  CHECK(second.data() == -1);
}

TEST_CASE("a transformation of the step sees the rule's step, and the weight from before it") {
  const DoubleWeight weight(4, chain(weightDecay(0.5), Louder(), weightDecay(0.25), sgd(1)));
  trainOnce(weight, 3);
  CHECK(weight.data() == -2);  // 4 - 1 * 3 - 0.5 * 4 - 0.25 * 4
  trainOnce(weight, 3);
  CHECK(weight.data() == -6.5);  // -2 - 2 * 3 + 0.5 * 2 + 0.25 * 2
}

TEST_CASE("each weight of a network learns in its own way") {
  // an embedding that is warmed up and clipped, a layer that decays, a bias without either, and a scale that
  // is frozen
  const DoubleWeight embedding(0.5, chain(clipByValue(0.1), adam({.learningRate = warmUp(3, 0.1)})));
  const DoubleWeight layer(-0.5, chain(weightDecay(0.001), momentum({.learningRate = 0.05})));
  const DoubleWeight bias(0, sgd(0.1));
  const DoubleWeight scale(2, sgd(0));
  const auto output = scale * tanh(embedding * layer + bias);
  const auto loss = (output + -1.5) * (output + -1.5);
  const double before = train(loss).blockingAwait();
  CHECK(embedding.data() == doctest::Approx(0.5 - 0.025).epsilon(1e-6));  // a quarter of the rate, downhill
  double after = before;
  for (int i = 0; i < 200; ++i) after = train(loss).blockingAwait();
  CHECK(after < 1e-3 * before);
  CHECK(scale.data() == 2);
}

TEST_CASE("what a state does not list is as in the initial state after its parts have been set") {
  const Optimizer<double> optimizer = test::Unlisted();
  const auto parts = optimizer.initial()->parts();
  REQUIRE(parts);
  test::fillStack();
  const auto restored = optimizer.initial()->with(*parts);
  CHECK(restored->step(5, 1).weight == 5);
}
