// Losses and their gradients where exponentials would overflow: everything stays finite in float.
#include <doctest/doctest.h>

#include <cmath>

#include "tapestry/deeplearning.hpp"

using namespace tapestry;

namespace {

constexpr float far = 1e4F;
const Tensor<float> farOut({2, 3}, {far, -far, 0, -far, far, far});

/// The gradients of a loss of the inputs, none of which, and nothing on the way to which, is NaN or infinite.
template <class F>
Tensor<float> gradientAt(const Tensor<float>& inputs, const F& network) {
  const TensorWeight weight(inputs);
  return checkFinite(gradients(network(weight))).blockingAwait().of(weight);
}

template <class F>
auto valueAt(const Tensor<float>& inputs, const F& network) {
  return checkFinite(predict(network(TensorWeight(inputs)))).blockingAwait();
}

}  // namespace

TEST_CASE("softmax and its gradient are finite at inputs of 10000 in float") {
  const auto network = [](const auto& x) { return softmax(x); };
  CHECK(valueAt(farOut, network) == Tensor<float>({2, 3}, {1, 0, 0, 0, 0.5, 0.5}));
  const Tensor<float> factors({2, 3}, {1, 2, 3, 1, 2, 4});
  CHECK(gradientAt(farOut, [&](const auto& x) { return sum(softmax(x) * factors); }) ==
        Tensor<float>({2, 3}, {0, 0, 0, 0, -0.5, 0.5}));
}

TEST_CASE("logSoftmax and its gradient are finite at inputs of 10000 in float") {
  const auto value = valueAt(farOut, [](const auto& x) { return logSoftmax(x); });
  CHECK(value(0, 0) == 0);
  CHECK(value(0, 1) == -2 * far);
  CHECK(value(1, 1) == doctest::Approx(-std::log(2)).epsilon(1e-6));
  const Tensor<float> factors({2, 3}, {1, 2, 3, 1, 2, 4});
  const auto gradient = gradientAt(farOut, [&](const auto& x) { return sum(logSoftmax(x) * factors); });
  CHECK(gradient(0, 0) == 1 - 6);
  CHECK(gradient(0, 1) == 2);
  CHECK(gradient(1, 1) == doctest::Approx(2 - 7 * 0.5).epsilon(1e-6));
}

TEST_CASE("logSumExp and its gradient are finite at inputs of 10000 in float") {
  const auto network = [](const auto& x) { return logSumExp(x, {1}); };
  CHECK(valueAt(farOut, network) == Tensor<float>({2}, {far, far + std::log(2.0F)}));
  CHECK(valueAt(Tensor<float>::full({1, 2}, -far), network)(0) == -far + std::log(2.0F));
  const auto gradient = gradientAt(farOut, network);
  CHECK(gradient(0, 0) == 1);
  CHECK(gradient(0, 1) == 0);
  CHECK(gradient(1, 2) == 0.5F);
}

TEST_CASE("crossEntropy of class indices and its gradient are finite at inputs of 10000 in float") {
  for (const std::uint32_t label : {0U, 1U, 2U}) {
    const auto network = [=](const auto& x) { return crossEntropy(x, std::vector{label, label}); };
    CHECK(valueAt(farOut, network) == doctest::Approx((label == 0   ? 2.0 * far
                                                       : label == 1 ? 2.0 * far
                                                                    : far) /
                                                      2)
                                          .epsilon(1e-4));
    const auto gradient = gradientAt(farOut, network);
    CHECK(gradient(0, 0) == (label == 0 ? 0 : 0.5F));
    CHECK(gradient(1, 0) == (label == 0 ? -0.5F : 0));
  }
}

TEST_CASE("crossEntropy of distributions and its gradients are finite at inputs of 10000 in float") {
  const Tensor<float> target({2, 3}, {0.5, 0.25, 0.25, 0, 1, 0});
  const auto network = [&](const auto& x) { return crossEntropy(x, target); };
  CHECK(valueAt(farOut, network) ==
        doctest::Approx((0.25 * 2 * far + 0.25 * far + std::log(2)) / 2).epsilon(1e-4));
  const auto gradient = gradientAt(farOut, network);
  CHECK(gradient(0, 0) == 0.25F);
  CHECK(gradient(0, 1) == -0.125F);
  CHECK(gradient(1, 0) == 0);
  CHECK(gradient(1, 1) == doctest::Approx(-0.25).epsilon(1e-6));
}

TEST_CASE("binaryCrossEntropyWithLogits and its gradient are finite at inputs of 10000 in float") {
  const Tensor<float> target({2, 3}, {0, 0, 0, 1, 1, 1});
  const auto network = [&](const auto& x) { return binaryCrossEntropyWithLogits(x, target); };
  CHECK(valueAt(farOut, network) == doctest::Approx((2.0 * far + std::log(2)) / 6).epsilon(1e-4));
  const auto gradient = gradientAt(farOut, network);
  CHECK(gradient(0, 0) == doctest::Approx(1.0 / 6));
  CHECK(gradient(0, 1) == 0);
  CHECK(gradient(1, 0) == doctest::Approx(-1.0 / 6));
  CHECK(gradient(1, 1) == 0);
}

TEST_CASE("sigmoid, softplus and tanh and their gradients are finite at inputs of 10000 in float") {
  const Tensor<float> inputs({2}, {far, -far});
  CHECK(valueAt(inputs, [](const auto& x) { return sigmoid(x); }) == Tensor<float>({2}, {1, 0}));
  CHECK(valueAt(inputs, [](const auto& x) { return softplus(x); }) == Tensor<float>({2}, {far, 0}));
  CHECK(valueAt(inputs, [](const auto& x) { return tanh(x); }) == Tensor<float>({2}, {1, -1}));
  CHECK(gradientAt(inputs, [](const auto& x) { return sigmoid(x); }) == Tensor<float>({2}, {0, 0}));
  CHECK(gradientAt(inputs, [](const auto& x) { return softplus(x); }) == Tensor<float>({2}, {1, 0}));
  CHECK(gradientAt(inputs, [](const auto& x) { return tanh(x); }) == Tensor<float>({2}, {0, 0}));
}
