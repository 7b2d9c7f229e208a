#include <tapestry/deeplearning/operations/log_softmax.hpp>

#include "deeplearning/operations/support.hpp"

using namespace tapestry;
using namespace tapestry::test;

TEST_CASE("logSoftmax is the logarithm of softmax, finite for large inputs") {
  const Tensor<float> y = logSoftmax(Tensor<float>({3}, {1e4F, 0, -1e4F}));
  CHECK(y == Tensor<float>({3}, {0, -1e4F, -2e4F}));
  CHECK(valueOf(logSoftmax(DoubleTensorLayer(Tensor<double>({2}, {0, std::log(3.0)}))))(0) ==
        doctest::Approx(std::log(0.25)));
}

TEST_CASE("the gradients of logSoftmax are the central differences") {
  checkShapes([](const auto& x) { return logSoftmax(x); }, {{3}, {2, 3}, {1, 2, 1, 2, 2}, {2, 0}});
  checkShapes([](const auto& x) { return logSoftmax(x, 0); }, {{3, 2}, {2, 1, 1, 2, 1}});
}
