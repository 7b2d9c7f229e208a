#include <tapestry/deeplearning/optimizers/momentum.hpp>

#include "deeplearning/optimizers/support.hpp"

using tapestry::DoubleWeight;
using tapestry::Optimizer;
using tapestry::test::checkTable;

namespace {

// Two weights after each of ten steps, computed in Python:
// for start, target in ((0.5, 3), (2, -1)):
//   w, v = start, 0
//   for step in range(10): v = 0.9 * v + 2 * (w - target); w -= 0.05 * v
constexpr tapestry::test::Table table{{
    {0.75, 1.7},
    {1.2, 1.16},
    {1.785, 0.45799999999999985},
    {2.433, -0.3196000000000002},
    {3.0728999999999997, -1.0874800000000002},
    {3.64152, -1.7698240000000003},
    {4.089126, -2.3069512000000003},
    {4.383058800000001, -2.6596705600000003},
    {4.50929244, -2.8111509280000004},
    {4.471973472, -2.7663681664000004},
}};

}  // namespace

TEST_CASE("ten steps of momentum are those of the formula") {
  checkTable(table, tapestry::momentum({.learningRate = 0.05, .momentum = 0.9}));
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
