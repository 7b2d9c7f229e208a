#include <tapestry/deeplearning/optimizers/adam.hpp>

#include "deeplearning/optimizers/support.hpp"

using tapestry::DoubleWeight;
using tapestry::Optimizer;
using tapestry::test::checkTable;

namespace {

// Two weights after each of ten steps, computed in Python:
// for start, target in ((0.5, 3), (2, -1)):
//   w, m, v = start, 0, 0
//   for t in range(1, 11):
//     g = 2 * (w - target)
//     m = 0.8 * m + 0.2 * g; v = 0.95 * v + 0.05 * g * g
//     w -= 0.3 * (m / (1 - 0.8 ** t)) / (math.sqrt(v / (1 - 0.95 ** t)) + 1e-8)
constexpr tapestry::test::Table table{{
    {0.7999999994000002, 1.7000000004999998},
    {1.0977531249487185, 1.4017649782808037},
    {1.3913005187775735, 1.106756879092998},
    {1.6782625354370673, 0.8166838787068742},
    {1.9557831429017927, 0.5335241339975632},
    {2.2204968099250957, 0.25954233729021253},
    {2.4685465186486395, -0.002708933078187703},
    {2.6956923406206723, -0.2504144689090714},
    {2.89755142558629, -0.48056237829980386},
    {3.069988745131921, -0.6900646082926176},
}};

}  // namespace

TEST_CASE("ten steps of adam are those of the formula") {
  checkTable(table, tapestry::adam({.learningRate = 0.3, .beta1 = 0.8, .beta2 = 0.95}));
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
