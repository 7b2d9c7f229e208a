#include <tapestry/deeplearning/operations/loss/binary_cross_entropy_with_logits.hpp>

#include "deeplearning/operations/binary.hpp"
#include "support/networks/drawn_operation.hpp"

using namespace tapestry;
using namespace tapestry::test;

TEST_CASE("binaryCrossEntropyWithLogits is the entropy of the target in the probability") {
  const Tensor<double> logit({2}, {std::log(3.0), 0});
  const Tensor<double> target({2}, {1, 0.5});
  CHECK(binaryCrossEntropyWithLogits(logit, target) ==
        doctest::Approx((-std::log(0.75) + std::log(2.0)) / 2));
}

TEST_CASE("binaryCrossEntropyWithLogits is finite for large logits") {
  const Tensor<float> logit({3}, {1e4F, -1e4F, 1e4F});
  CHECK(binaryCrossEntropyWithLogits(logit, Tensor<float>({3}, {1, 0, 0})) == doctest::Approx(1e4 / 3));
}

TEST_CASE("the gradients of binaryCrossEntropyWithLogits are the central differences") {
  const auto loss = [](const auto& a, const auto& b) { return binaryCrossEntropyWithLogits(a, b); };
  checkGradients(loss, Tensor<double>({2, 2}, {0.1, -0.5, 2, -3}), Tensor<double>({2}, {0.3, 1}));
  checkGradients(loss, 0.5, Tensor<double>({2}, {0, 1}));
}

TEST_CASE(
    "the gradients of binaryCrossEntropyWithLogits are the central differences, broadcast on either side") {
  checkLoss([](const auto& x, const auto& y) { return binaryCrossEntropyWithLogits(x, y); });
}

TEST_CASE("binaryCrossEntropyWithLogits refuses operands that do not broadcast, as soon as they are known") {
  checkRefusal([](const auto& x, const auto& y) { return binaryCrossEntropyWithLogits(x, y); },
               "binaryCrossEntropyWithLogits", "[2] and [2, 3]");
}
