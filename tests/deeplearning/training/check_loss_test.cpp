#include <tapestry/deeplearning/training/check_loss.hpp>

#include <doctest/doctest.h>

#include <vector>

#include "support/error_text.hpp"
#include "tapestry/deeplearning/layers/batch_norm.hpp"
#include "tapestry/deeplearning/operations/arithmetic/comparison.hpp"
#include "tapestry/deeplearning/operations/arithmetic/multiply.hpp"
#include "tapestry/deeplearning/operations/reduction/mean.hpp"
#include "tapestry/deeplearning/operations/reduction/sum.hpp"
#include "tapestry/deeplearning/train.hpp"
#include "tapestry/deeplearning/train_micro_batches.hpp"
#include "tapestry/deeplearning/with_pass.hpp"

using namespace tapestry;
using tapestry::test::errorOf;

TEST_CASE(
    "a loss that depends on no weight is refused where that is asked for, and trains nothing elsewhere") {
  const DoubleWeight w(2);
  const auto loss = DoubleLayer(3) * 2.0;
  const char* const message =
      "tapestry::train: the loss trains nothing, got no delta for any weight, expected a loss that depends "
      "on weights";
  CHECK(errorOf([&] { checkLoss(train(loss)).blockingAwait(); }) == message);
  CHECK(errorOf([&] { checkLoss(train(loss, clipByGlobalNorm(1))).blockingAwait(); }) == message);
  CHECK(train(loss).blockingAwait() == 6);
  CHECK(checkLoss(train(loss * w)).blockingAwait() == 12);
}

TEST_CASE("a loss that trains nothing is refused also where a running average observes its values") {
  const BatchNorm<> normalize(2);
  const auto y = normalize(Tensor<float>({2, 2}, {1, 2, 3, 5}));
  CHECK_THROWS_AS(checkLoss(train(mean(greater(y, 0)))).blockingAwait(), std::invalid_argument);
  CHECK(normalize.statistics.mean.data() == Tensor<float>::zeros({2}));
  train(mean(greater(y, 0))).blockingAwait();
  CHECK(normalize.statistics.mean.data() != Tensor<float>::zeros({2}));
  checkLoss(train(mean(y * y))).blockingAwait();
}

TEST_CASE("losses of micro-batches are looked at as well") {
  const TensorWeight weight(Tensor<float>({2}, {1, 2}));
  const auto scaled = [weight](float x) { return weight * x; };
  CHECK_THROWS_AS(checkLoss(trainMicroBatches(std::vector{1.0F, 2.0F}, 1, scaled)).blockingAwait(),
                  std::invalid_argument);
  CHECK(weight.data() == Tensor<float>({2}, {1, 2}));
}

TEST_CASE("a pass without a loss is not looked at") {
  const DoubleWeight w(2);
  const auto read = forward(w).map([](const auto& tape) { return tape.data; });
  CHECK(checkLoss(withPass(read)).blockingAwait() == 2);
}

TEST_CASE("with a reduction a loss may train nothing, also if the pass is alone") {
  const Reduction alone{Do<std::shared_ptr<extend::Exchange>>::now(nullptr)};
  CHECK(checkLoss(train(DoubleLayer(3.0), alone)).blockingAwait() == 3);
  const auto constant = [](double x) { return DoubleLayer(x); };
  CHECK(checkLoss(trainMicroBatches(std::vector{1.0, 2.0}, 1, constant, alone)).blockingAwait() ==
        std::vector{1.0, 2.0});
  const DoubleTensorWeight several(Tensor<double>({2}, {1, 2}));
  CHECK_THROWS_AS(checkLoss(train(several * 2.0, alone)).blockingAwait(), std::invalid_argument);
}

TEST_CASE("a loss that is a tensor of several elements is refused where that is asked for") {
  const DoubleTensorWeight w(Tensor<double>({3}, {1, 2, 3}), sgd(1));
  const auto loss = w * 2.0;
  const char* const message =
      "tapestry::train: the loss is no scalar, got a tensor [3], expected one element, such as the sum or "
      "the "
      "mean";
  CHECK(errorOf([&] { checkLoss(train(loss)).blockingAwait(); }) == message);
  CHECK(errorOf([&] { checkLoss(train(loss, w)).blockingAwait(); }) == message);
  CHECK(errorOf([&] { checkLoss(train(loss, clipByGlobalNorm(1))).blockingAwait(); }) == message);
  CHECK(errorOf([&] { checkLoss(train(std::tuple(sum(loss), std::vector{loss}))).blockingAwait(); }) ==
        message);
  CHECK(w.data() == Tensor<double>({3}, {1, 2, 3}));
  CHECK(checkLoss(train(sum(loss))).blockingAwait() == 12);
  CHECK(checkLoss(train(std::tuple(sum(loss), sum(loss)))).blockingAwait() == std::tuple(0.0, 0.0));
  train(loss).blockingAwait();
}
