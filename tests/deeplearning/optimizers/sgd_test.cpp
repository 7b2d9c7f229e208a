#include <tapestry/deeplearning/optimizers/sgd.hpp>

#include "deeplearning/optimizers/support.hpp"

using tapestry::test::checkTable;

namespace {

// Two weights after each of ten steps, computed in Python:
// for start, target in ((0.5, 3), (2, -1)):
//   w = start
//   for step in range(10): w -= 0.1 * 2 * (w - target)
constexpr tapestry::test::Table table{{
    {1.0, 1.4},
    {1.4, 0.9199999999999999},
    {1.72, 0.5359999999999999},
    {1.976, 0.2287999999999999},
    {2.1808, -0.016960000000000086},
    {2.34464, -0.2135680000000001},
    {2.475712, -0.3708544000000001},
    {2.5805696, -0.49668352000000004},
    {2.66445568, -0.5973468160000001},
    {2.7315645440000003, -0.6778774528},
}};

}  // namespace

TEST_CASE("ten steps of sgd are those of the formula") { checkTable(table, tapestry::sgd(0.1)); }

TEST_CASE("a weight without an optimizer of its own is trained by sgd at a rate of 0.01") {
  const tapestry::DoubleWeight w(1);
  train(3.0 * w).blockingAwait();
  CHECK(w.data() == doctest::Approx(0.97).epsilon(1e-15));
}
