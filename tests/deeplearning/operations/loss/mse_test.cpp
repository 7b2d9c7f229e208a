#include <tapestry/deeplearning/operations/loss/mse.hpp>

#include "deeplearning/operations/binary.hpp"
#include "support/networks/drawn_operation.hpp"

using namespace tapestry;
using namespace tapestry::test;

TEST_CASE("mse is the mean of the squares of differences") {
  const Tensor<double> x({2}, {1, 2});
  CHECK(mse(x, Tensor<double>({2}, {0, 4})) == 2.5);
  CHECK(valueOf(mse(DoubleTensorLayer(x), 1.0)) == 0.5);
}

TEST_CASE("the gradients of mse are the central differences") {
  const Tensor<double> x({2, 2}, {1, 2, 3, 4});
  checkGradients([](const auto& a, const auto& b) { return mse(a, b); }, x, Tensor<double>({2}, {0, 3}));
  checkGradients([](const auto& a, const auto& b) { return mse(a, b); }, 1.5, 2.0);
  checkGradients<float>([](const auto& a, const auto& b) { return mse(a, b); }, Tensor<float>({2}, {1, 2}),
                        0.5F);
}

TEST_CASE("the gradients of mse are the central differences, broadcast on either side") {
  checkLoss([](const auto& x, const auto& y) { return mse(x, y); });
}

TEST_CASE("operands that do not broadcast are refused by mse, as soon as they are known") {
  checkRefusal([](const auto& x, const auto& y) { return mse(x, y); }, "mse");
}
