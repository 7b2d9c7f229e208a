// The six expressions of toy_computational_graph's example, with their exact values and gradients.
#include <doctest/doctest.h>

#include "tapestry/deeplearning/gradients.hpp"
#include "tapestry/deeplearning/operations/arithmetic/add.hpp"
#include "tapestry/deeplearning/operations/arithmetic/divide.hpp"
#include "tapestry/deeplearning/operations/arithmetic/multiply.hpp"
#include "tapestry/deeplearning/operations/arithmetic/subtract.hpp"

using namespace tapestry;

namespace {

Gradients<double> derived(const DoubleLayer& result) { return gradients(result).blockingAwait(); }

}  // namespace

TEST_CASE("toy_computational_graph 1: x + 2 * y at 10, 2") {
  const DoubleWeight x(10.0);
  const DoubleWeight y(2.0);
  const auto result = derived(x + 2 * y);
  CHECK(result.loss == 14);
  CHECK(result.of(x) == 1);
  CHECK(result.of(y) == 2);
}

TEST_CASE("toy_computational_graph 2: x * x at 10") {
  const DoubleWeight x(10.0);
  const auto result = derived(x * x);
  CHECK(result.loss == 100);
  CHECK(result.of(x) == 20);
}

TEST_CASE("toy_computational_graph 3: x * (x + 1) at 10") {
  const DoubleWeight x(10.0);
  const auto result = derived(x * (x + 1));
  CHECK(result.loss == 110);
  CHECK(result.of(x) == 21);
}

TEST_CASE("toy_computational_graph 4: x / y at 8, 4") {
  const DoubleWeight x(8.0);
  const DoubleWeight y(4.0);
  const auto result = derived(x / y);
  CHECK(result.loss == 2);
  CHECK(result.of(x) == 0.25);
  CHECK(result.of(y) == -0.5);
}

TEST_CASE("toy_computational_graph 5: 1 / (x * x + 1) at 3") {
  const DoubleWeight x(3.0);
  const auto result = derived(1 / (x * x + 1));
  CHECK(result.loss == 0.1);
  CHECK(result.of(x) == doctest::Approx(-0.06).epsilon(1e-15));
}

TEST_CASE("toy_computational_graph 6: (x * x + 1) / (y * y - 1) at 8, 3") {
  const DoubleWeight x(8.0);
  const DoubleWeight y(3.0);
  const auto result = derived((x * x + 1) / (y * y - 1));
  CHECK(result.loss == 8.125);
  CHECK(result.of(x) == 2);
  CHECK(result.of(y) == -6.09375);
}
