// Losses and comparisons on devices: the host's values and gradients.
#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "compute/deeplearning/support.hpp"
#include "tensor/kernels/support.hpp"

using namespace tapestry;
using namespace tapestry::test;

namespace {

/// Calls f with two tensors of one shape, and with one that broadcasts to the other.
void forLossOperands(test::Random& random, const auto& f) {
  f(random.tensor<float>({4, 5}), random.tensor<float>({4, 5}));
  f(random.tensor<float>({2, 3, 4}), random.tensor<float>({4}));
  f(random.tensor<float>({5}), random.tensor<float>({4, 5}));
}

}  // namespace

TEST_CASE("each comparison has the host's values on a device, of equal numbers too, and no gradient") {
  test::Random random(45);
  for (const Shape& other : {Shape{4, 5}, Shape{5}}) {
    const std::vector values{random.integers<float>({4, 5}), random.integers<float>(other)};
    compareWithHost(values, [](const auto& w) { return (w[0] > w[1]) + w[0]; });
    compareWithHost(values, [](const auto& w) { return (w[0] >= w[1]) + w[0]; });
    compareWithHost(values, [](const auto& w) { return (w[0] < w[1]) * w[0]; });
    compareWithHost(values, [](const auto& w) { return (w[0] <= w[1]) * w[1]; });
    compareWithHost(values, [](const auto& w) { return (w[0] == w[1]) * w[0] + w[1]; });
    compareWithHost(values, [](const auto& w) { return (w[0] != w[1]) * w[0] - w[1]; });
  }
}

TEST_CASE(
    "losses between numbers have the host's values and gradients on a device, where they broadcast too") {
  test::Random random(46);
  forLossOperands(random, [](const Tensor<float>& x, const Tensor<float>& y) {
    const std::vector values{x, y};
    compareWithHost(values, [](const auto& w) { return w[0] * huber(w[0], w[1]); });
    compareWithHost(values, [](const auto& w) { return w[1] * mse(w[0], w[1]); });
    compareWithHost(values, [](const auto& w) { return w[1] * hinge(w[0], sign(w[1])); });
    compareWithHost(values, [](const auto& w) { return w[0] * hinge(w[0], w[1]); });
    compareWithHost(values,
                    [](const auto& w) { return w[0] * binaryCrossEntropyWithLogits(w[0], sigmoid(w[1])); });
  });
}

TEST_CASE("crossEntropy of distributions has the host's values and gradients on a device") {
  test::Random random(47);
  forLossOperands(random, [](const Tensor<float>& x, const Tensor<float>& y) {
    if (y.rank() > x.rank()) return;
    compareWithHost({x, y}, [](const auto& w) { return w[0] * crossEntropy(w[0], softmax(w[1])) * 0.3; });
    compareWithHost({x, y},
                    [](const auto& w) { return w[1] * crossEntropy(tanh(w[0]), sigmoid(w[1])) * 0.3; });
  });
}

TEST_CASE(
    "losses of class indices have the host's values and gradients on a device, of rows and of batches") {
  test::Random random(48);
  for (const Shape& shape : {Shape{7}, Shape{1, 3}, Shape{6, 300}}) {
    const std::size_t rows = shape.rank() == 2 ? shape[0] : 1, classes = shape[shape.rank() - 1];
    std::vector<std::uint32_t> labels(rows);
    for (std::uint32_t& label : labels) label = static_cast<std::uint32_t>(random.below(classes));
    const auto logits = random.tensor<float>(shape);
    compareWithHost({logits}, [=](const auto& w) { return w[0] * softmaxCrossEntropy(w[0], labels) * 0.3; });
    compareWithHost({logits}, [=](const auto& w) { return w[0] * crossEntropy(exp(w[0]), labels) * 0.3; });
  }
}

TEST_CASE("losses are finite on a device where they are finite on the host") {
  const Tensor<float> far({2, 3}, {1e4F, -1e4F, 0, -1e4F, 1e4F, 1e4F});
  const Tensor<float> target({2, 3}, {0, 1, 0, 1, 0, 0});
  compareWithHost({far}, [](const auto& w) { return w[0] * softmaxCrossEntropy(w[0], {0, 0}) * 1e-4; });
  compareWithHost({far, target}, [](const auto& w) { return crossEntropy(w[0], w[1]) * w[1] * 1e-4; });
  compareWithHost({far, target},
                  [](const auto& w) { return binaryCrossEntropyWithLogits(w[0], w[1]) * w[1] * 1e-4; });
}

TEST_CASE("losses of operands that do not fit have the host's messages on a device") {
  const auto messages = [](const auto& x) {
    const auto other = slice(x, {Slice{}, Slice{0, 2}});
    return std::vector{errorOf([&] { return hinge(x, other); }),
                       errorOf([&] { return binaryCrossEntropyWithLogits(x, other); }),
                       errorOf([&] { return crossEntropy(x, other); }), errorOf([&] {
                         return crossEntropy(x, {0, 3});
                       }),
                       errorOf([&] { return operations::less(x, other); })};
  };
  compareErrors(messages, Tensor<float>::zeros({2, 3}));
}
