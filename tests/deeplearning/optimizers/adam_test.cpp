#include <tapestry/deeplearning/optimizers/adam.hpp>

#include "deeplearning/optimizers/support.hpp"

using tapestry::DoubleWeight;
using tapestry::Optimizer;
using tapestry::test::checkTable;

TEST_CASE("ten steps of adam are those of the formula") {
  checkTable(tapestry::test::tables::adam,
             tapestry::adam({.learningRate = 0.3, .beta1 = 0.8, .beta2 = 0.95}));
}

TEST_CASE("the moments are the weight's own, though two weights are given one optimizer") {
  const Optimizer<double> optimizer = tapestry::adam({.learningRate = 0.5});
  const DoubleWeight first(0, optimizer);
  const DoubleWeight second(0, optimizer);
  train(first * 8.0).blockingAwait();
  train(second * 0.25).blockingAwait();
  // the first step is as long as the learning rate, whatever the gradient
  CHECK(first.data() == doctest::Approx(-0.5).epsilon(1e-7));
  CHECK(second.data() == doctest::Approx(-0.5).epsilon(1e-7));
}

TEST_CASE("adam has the paper's settings as defaults") {
  const DoubleWeight w(1, tapestry::adam());
  train(w * 5.0).blockingAwait();
  CHECK(w.data() == doctest::Approx(0.999).epsilon(1e-11));
}

TEST_CASE("adam refuses parameters that are out of range") {
  using tapestry::adam;
  CHECK(tapestry::test::errorOf([] { adam({.beta1 = 1}); }) ==
        "tapestry::adam: beta1 is out of range, got 1, expected at least 0 and less than 1");
  CHECK(tapestry::test::errorOf([] { adam({.epsilon = 0}); }) ==
        "tapestry::adam: epsilon is out of range, got 0, expected more than 0");
  CHECK_THROWS_AS(adam({.beta1 = -0.1}), std::invalid_argument);
  CHECK_THROWS_AS(adam({.beta2 = tapestry::test::notANumber}), std::invalid_argument);
}

TEST_CASE("a beta that a float rounds to 1, and an epsilon that it rounds to 0, step as in the formula") {
  const tapestry::FloatWeight slow(1, tapestry::adam({.learningRate = 0.5, .beta2 = 1 - 1e-8}));
  train(slow * 3.0F).blockingAwait();
  CHECK(slow.data() == doctest::Approx(0.5));
  const tapestry::TensorWeight w(tapestry::Tensor<float>({2}, {1, 1}),
                                 tapestry::adam({.learningRate = 0.5, .beta2 = 1 - 1e-8, .epsilon = 1e-46}));
  train(tapestry::sum(w * tapestry::Tensor<float>({2}, {3, 0}))).blockingAwait();
  CHECK(w.data()(0) == doctest::Approx(0.5));
  CHECK(w.data()(1) == 1);
}
