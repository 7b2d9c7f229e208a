#include <tapestry/deeplearning/operations/loss/hinge.hpp>

#include "deeplearning/operations/binary.hpp"
#include "support/networks/drawn_operation.hpp"

using namespace tapestry;
using namespace tapestry::test;

TEST_CASE("hinge is 0 beyond the margin and grows with the distance from it") {
  const Tensor<double> score({4}, {2, 0.5, -1, -3});
  CHECK(hinge(score, Tensor<double>({4}, {1, 1, 1, -1})) == (0 + 0.5 + 2 + 0) / 4);
}

TEST_CASE("the gradients of hinge are the central differences") {
  const Tensor<double> label({3}, {1, -1, 1});
  checkGradients([&](const auto& score) { return hinge(score, label); }, Tensor<double>({3}, {0.5, 0.25, 3}));
}

TEST_CASE("the gradients of hinge are the central differences, broadcast on either side") {
  checkLoss([](const auto& x, const auto& y) { return hinge(x, y); });
}

TEST_CASE("operands that do not broadcast are refused by hinge, as soon as they are known") {
  checkRefusal([](const auto& x, const auto& y) { return hinge(x, y); }, "hinge", "[2] and [2, 3]");
}
