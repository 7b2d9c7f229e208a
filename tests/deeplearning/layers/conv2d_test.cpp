#include <tapestry/deeplearning/layers/conv2d.hpp>

#include "deeplearning/layers/support.hpp"
#include "support/error_text.hpp"

using namespace tapestry;
using namespace tapestry::test;

TEST_CASE("a convolutional layer is conv2d with its weight and its bias") {
  const Conv2d<double> layer(Tensor<double>({1, 1, 1, 2}, {2, 3}), {.stride = {1, 2}});
  layer.bias.setData(Tensor<double>({1}, {100}));
  CHECK(valueOf(layer(Tensor<double>({1, 1, 1, 4}, {1, 10, 2, 20}))) ==
        Tensor<double>({1, 1, 1, 2}, {132, 164}));
}

TEST_CASE("the gradients of a convolutional layer are the central differences") {
  Generator generator(7);
  const Conv2d<double> layer(
      {.inputs = 2, .outputs = 4, .kernel = {2, 3}, .stride = 2, .padding = 1, .groups = 2}, generator);
  checkLayer(layer, normal<double>({2, 2, 4, 3}, 0, 1, generator));
}

TEST_CASE("the gradients of a convolutional layer are the central differences, for any of its settings") {
  checkLayers([](Random& random, Generator& generator) {
    const std::size_t groups = 1 + random.below(2);
    const Conv2d<double> layer({.inputs = groups * (1 + random.below(2)),
                                .outputs = groups * (1 + random.below(2)),
                                .kernel = {1 + random.below(3), 1 + random.below(2)},
                                .stride = {1 + random.below(2), 1 + random.below(3)},
                                .padding = {random.below(3), random.below(2)},
                                .dilation = {1, 1 + random.below(2)},
                                .groups = groups},
                               generator);
    const Shape images{random.below(3), groups * layer.weight.data().shape()[1], 3 + random.below(2),
                       3 + random.below(2)};
    return DrawnLayer{layer.weights(), [=](const auto& x) { return asLoss(layer(x)); },
                      random.tensor<double>(images)};
  });
}

TEST_CASE("a convolutional layer has its weights, and refuses groups that there cannot be") {
  Generator generator(7);
  const Conv2d<> layer({.inputs = 3, .outputs = 16, .kernel = 3, .padding = 1}, generator);
  CHECK(layer.weights().elements() == 16 * 3 * 9 + 16);
  CHECK(valueOf(layer(Tensor<float>::zeros({2, 3, 8, 8}))).shape() == Shape{2, 16, 8, 8});
  CHECK(errorOf([&] { Conv2d<>({.inputs = 3, .outputs = 3, .kernel = 1, .groups = 0}, generator); }) ==
        "tapestry::conv2d: groups out of range, got 0, expected 1 .. 2147483647");
  CHECK(
      errorOf([&] { Conv2d<>({.inputs = 3, .outputs = 4, .kernel = 1, .groups = 2}, generator); }) ==
      "tapestry::Conv2d: the inputs are not divisible, got 3 in 2 groups, expected a multiple of the groups");
  CHECK(errorOf([&] { Conv2d<>({.inputs = 4, .outputs = 3, .kernel = 1, .groups = 2}, generator); }) ==
        "tapestry::Conv2d: the outputs are not divisible, got 3 in 2 groups, expected a multiple of the "
        "groups");
}
