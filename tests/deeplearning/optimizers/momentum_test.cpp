#include <tapestry/deeplearning/optimizers/momentum.hpp>

#include "deeplearning/optimizers/support.hpp"

using tapestry::DoubleWeight;
using tapestry::Optimizer;
using tapestry::test::checkTable;

TEST_CASE("ten steps of momentum are those of the formula") {
  checkTable(tapestry::test::tables::momentum, tapestry::momentum({.learningRate = 0.05, .momentum = 0.9}));
}

TEST_CASE("the velocity is the weight's own, though two weights are given one optimizer") {
  const Optimizer<double> optimizer = tapestry::momentum({.learningRate = 1, .momentum = 0.5});
  const DoubleWeight first(0, optimizer);
  const DoubleWeight second(0, optimizer);
  train(1.0 * first).blockingAwait();
  train(1.0 * first + second).blockingAwait();
  CHECK(first.data() == -2.5);
  CHECK(second.data() == -1);
}

TEST_CASE("momentum has 0.01 and 0.9 as defaults") {
  const DoubleWeight w(0, tapestry::momentum({}));
  train(1.0 * w).blockingAwait();
  CHECK(w.data() == doctest::Approx(-0.01).epsilon(1e-15));
  train(1.0 * w).blockingAwait();
  CHECK(w.data() == doctest::Approx(-0.029).epsilon(1e-15));
}

TEST_CASE("a new optimizer has no velocity") {
  const DoubleWeight w(0, tapestry::momentum({.learningRate = 1, .momentum = 0.5}));
  train(1.0 * w).blockingAwait();
  w.setOptimizer(tapestry::momentum({.learningRate = 1, .momentum = 0.5}));
  train(1.0 * w).blockingAwait();
  CHECK(w.data() == -2);
}

TEST_CASE("a weight that is set to another value keeps its velocity") {
  const DoubleWeight w(0, tapestry::momentum({.learningRate = 1, .momentum = 0.5}));
  train(1.0 * w).blockingAwait();
  w.setData(10);
  train(1.0 * w).blockingAwait();
  CHECK(w.data() == 8.5);
}

TEST_CASE("momentum refuses a factor above 1") {
  CHECK(tapestry::test::errorOf([] { tapestry::momentum({.momentum = 1.5}); }) ==
        "tapestry::momentum: the momentum is out of range, got 1.5, expected at least 0 and at most 1");
  CHECK_THROWS_AS(tapestry::momentum({.momentum = -0.5}), std::invalid_argument);
}
