// What DeepLearning.scala tests of networks of tensors: elements, translations, and a convolution made of
// them.
#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

#include "tapestry/deeplearning.hpp"

using namespace tapestry;

namespace {

struct Entry {
  std::vector<std::ptrdiff_t> at;
  float value;
};

/// Zeros, but for the entries.
Tensor<float> sparse(const Shape& shape, const std::vector<Entry>& entries) {
  auto result = Tensor<float>::zeros(shape);
  for (const auto& [at, value] : entries) {
    std::size_t offset = 0;
    for (std::size_t axis = 0; axis < at.size(); ++axis)
      offset = offset * shape[axis] + static_cast<std::size_t>(at[axis]);
    result.exclusiveData()[offset] = value;
  }
  return result;
}

/// [batch, height, width, depth] by [3, 3, depth, filters] and [filters] to [batch, height, width, filters]:
/// each tap of each filter is a channel of the input, moved and scaled.
TensorLayer convolute(const Tensor<float>& input, const TensorWeight& weight, const TensorWeight& bias) {
  const std::vector<Tensor<float>> channels = split(input, input.shape()[3], 1, 3);
  std::vector<TensorLayer> filters;
  for (int filter = 0; filter < 2; ++filter) {
    std::vector<TensorLayer> taps;
    for (int y = 0; y < 3; ++y)
      for (int x = 0; x < 3; ++x)
        for (int channel = 0; channel < 3; ++channel)
          taps.push_back(translate(channels[static_cast<std::size_t>(channel)], {0, y - 1, x - 1}) *
                         weight(y, x, channel, filter));
    filters.push_back(sum(taps) + bias(filter));
  }
  return concat(filters, 3);
}

}  // namespace

TEST_CASE("selecting the element (0, 2) of an array trains only that element") {
  const TensorWeight weight(Tensor<float>::full({4, 4}, 1), sgd(1));
  for (int i = 0; i < 3; ++i) train(weight(0, 2)).blockingAwait();
  auto expected = Tensor<float>::full({4, 4}, 1);
  expected.exclusiveData()[2] = -2;
  CHECK(weight.data() == expected);
}

TEST_CASE("translate: the output is shifted, with zeros coming in, and the remaining elements are trained") {
  const Tensor<float> initial({3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  const TensorWeight weight(initial, sgd(1));
  const auto before = weight.data();
  const TensorLayer moved = translate(weight, {1, 1});
  CHECK(train(moved).blockingAwait() == Tensor<float>({3, 3}, {0, 0, 0, 0, 1, 2, 0, 4, 5}));
  CHECK(weight.data() == Tensor<float>({3, 3}, {0, 1, 3, 3, 4, 6, 7, 8, 9}));
  CHECK(!weight.data().identical(before));
}

TEST_CASE("convolute: a convolution by split, translate and join, and the step of its weights") {
  const TensorWeight weight(
      sparse({3, 3, 3, 2}, {{{1, 1, 0, 0}, 3}, {{1, 1, 0, 1}, 4}, {{0, 1, 0, 0}, 5}, {{2, 2, 0, 1}, 6}}),
      sgd(1));
  const TensorWeight bias(Tensor<float>({2}, {100'000, 200'000}), sgd(1));
  const auto input = sparse({2, 4, 5, 3}, {{{0, 0, 0, 0}, 1}, {{0, 1, 0, 0}, 10}, {{1, 0, 0, 0}, 100}});
  const Tensor<float> output = train(convolute(input, weight, bias)).blockingAwait();
  CHECK(output.shape() == Shape{2, 4, 5, 2});
  CHECK(output(0, 0, 0, 0) == 100'053);
  CHECK(output(0, 1, 1, 1) == 200'006);
  CHECK(output(1, 1, 1, 1) == 200'600);
  CHECK(output(0, 2, 1, 1) == 200'060);
  CHECK(output(0, 0, 0, 1) == 200'004);
  CHECK(output(0, 1, 0, 0) == 100'030);
  CHECK(output(1, 0, 0, 0) == 100'300);
  CHECK(weight.data()(1, 1, 0, 0) == -108);
  CHECK(weight.data()(2, 2, 0, 1) == 6 - 111);
  CHECK(weight.data()(1, 1, 2, 1) == 0);
  CHECK(bias.data() == Tensor<float>({2}, {100'000 - 40, 200'000 - 40}));
}
