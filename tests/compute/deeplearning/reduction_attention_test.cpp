// Further reductions, and attention, on devices: the host's values and gradients.
#include <doctest/doctest.h>

#include <limits>
#include <vector>

#include "compute/deeplearning/support.hpp"
#include "tensor/kernels/support.hpp"

using namespace tapestry;
using namespace tapestry::test;

TEST_CASE("variance, norm, min and logSumExp have the host's values and gradients on a device") {
  test::Random random(34);
  for (const Shape& shape : {Shape{9}, Shape{4, 7}, Shape{3, 2, 5}}) {
    const auto x = random.tensor<float>(shape);
    for (const bool keepDims : {false, true}) {
      compareWithHost({x}, [=](const auto& w) { return variance(w[0], {-1}, keepDims); });
      compareWithHost({x}, [=](const auto& w) { return norm(w[0], {0}, keepDims); });
      compareWithHost({x}, [=](const auto& w) { return min(w[0], {-1}, keepDims); });
      compareWithHost({x}, [=](const auto& w) { return logSumExp(w[0], {0}, keepDims); });
    }
  }
}

TEST_CASE("the norm of zeros has the derivative 0 on a device") {
  compareWithHost({Tensor<float>({2, 2}, {0, 0, 3, 4})}, [](const auto& w) { return norm(w[0], {1}); });
}

TEST_CASE("attention has the host's values and gradients on a device") {
  test::Random random(35);
  const auto tensors = [&](const Shape& q, const Shape& k, const Shape& v) {
    return std::vector{random.tensor<float>(q), random.tensor<float>(k), random.tensor<float>(v)};
  };
  for (const bool causal : {false, true}) {
    const auto attend = [=](const auto& w) {
      return scaledDotProductAttention(w[0], w[1], w[2], {.causal = causal});
    };
    compareWithHost(tensors({4, 3}, {5, 3}, {5, 2}), attend);
    compareWithHost(tensors({2, 3, 4, 3}, {2, 3, 6, 3}, {2, 3, 6, 5}), attend);
    compareWithHost(tensors({2, 4, 3}, {6, 3}, {2, 6, 5}), attend);
  }
  auto masked = tensors({4, 3}, {5, 3}, {5, 2});
  masked.push_back(random.tensor<float>({4, 5}));
  compareWithHost(masked, [](const auto& w) { return scaledDotProductAttention(w[0], w[1], w[2], w[3]); });
}

TEST_CASE("a query that sees no key gives 0 on a device") {
  const float unseen = -std::numeric_limits<float>::infinity();
  const auto on = [](const Tensor<float>& x) { return DeviceTensor<float>(testDevice(), x); };
  const auto equal = on(Tensor<float>::zeros({2, 2}));
  const auto mask = on(Tensor<float>({2, 2}, {unseen, unseen, 0, 0}));
  CHECK(hostOf(scaledDotProductAttention(equal, equal, on(Tensor<float>({2, 1}, {2, 4})), mask)) ==
        Tensor<float>({2, 1}, {0, 3}));
}

TEST_CASE("operands that do not fit have the host's messages on a device") {
  const auto messages = [](const auto& x) {
    const auto vector = reshape(x, {6});
    const auto none = slice(x, {Slice{0, 0}});
    return std::vector{errorOf([&] { return sum(x, {7}); }),
                       errorOf([&] { return mean(x, {-3}); }),
                       errorOf([&] { return max(x, {7}); }),
                       errorOf([&] { return min(x, {7}); }),
                       errorOf([&] { return min(none, {0}); }),
                       errorOf([&] { return logSumExp(x, {7}); }),
                       errorOf([&] { return softmax(x, {7}); }),
                       errorOf([&] { return logSoftmax(x, {7}); }),
                       errorOf([&] {
                         return layerNorm(x, {1e-5, {7}});
                       }),
                       errorOf([&] { return x + vector; }),
                       errorOf([&] { return matmul(x, x); }),
                       errorOf([&] { return affine(x, transpose(x), vector); }),
                       errorOf([&] { return einsum("ij,ij->k", x, x); }),
                       errorOf([&] { return einsum("ij,ji->i", x, x); }),
                       errorOf([&] { return dot(x, x); }),
                       errorOf([&] { return outer(x, vector); }),
                       errorOf([&] { return gather(x, Indices{0}, 5); }),
                       errorOf([&] { return gather(x, Indices{9}); }),
                       errorOf([&] { return scatter(x, Indices{0}, 0, 3); }),
                       errorOf([&] {
                         return concat(std::vector{x, transpose(x)});
                       }),
                       errorOf([&] { return reshape(x, {5}); }),
                       errorOf([&] {
                         return permute(x, {0, 0});
                       }),
                       errorOf([&] {
                         return slice(x, {Slice{}, Slice{}, Slice{}});
                       }),
                       errorOf([&] {
                         return pad(vector, {{1, 1}, {1, 1}});
                       }),
                       errorOf([&] { return expandDims(x, 9); }),
                       errorOf([&] { return softmaxCrossEntropy(x, {0}); }),
                       errorOf([&] {
                         return softmaxCrossEntropy(x, {0, 3});
                       })};
  };
  compareErrors(messages, Tensor<float>::zeros({2, 3}));
}
