// Convolutions and poolings on devices: the host's values and gradients.
#include <doctest/doctest.h>

#include "compute/deeplearning/support.hpp"
#include "tensor/kernels/support.hpp"

using namespace tapestry;
using namespace tapestry::test;

TEST_CASE("conv2d has the host's values and gradients on a device") {
  test::Random random(36);
  const auto x = random.tensor<float>({3, 4, 7, 6});
  compareWithHost({x, random.tensor<float>({2, 4, 3, 2}, -0.5, 0.5)},
                  [](const auto& w) { return conv2d(w[0], w[1]); });
  compareWithHost({x, random.tensor<float>({6, 2, 3, 3}, -0.5, 0.5), random.tensor<float>({6})},
                  [](const auto& w) {
                    return conv2d(tanh(w[0]), w[1], w[2], {.stride = {2, 1}, .padding = {1, 2}, .groups = 2});
                  });
  compareWithHost({x, random.tensor<float>({4, 1, 2, 2}, -0.5, 0.5)},
                  [](const auto& w) { return relu(conv2d(w[0], w[1], {.dilation = 2, .groups = 4})); });
}

TEST_CASE("maxPool2d and avgPool2d have the host's values and gradients on a device") {
  test::Random random(37);
  const auto x = random.tensor<float>({2, 3, 7, 8});
  compareWithHost({x}, [](const auto& w) { return maxPool2d(w[0], {.window = 2}); });
  compareWithHost({x}, [](const auto& w) {
    return maxPool2d(relu(w[0]), {.window = {3, 2}, .stride = 1, .padding = 1});
  });
  compareWithHost(
      {x}, [](const auto& w) { return avgPool2d(w[0] * w[0], {.window = 3, .stride = 2, .padding = 1}); });
}

TEST_CASE("a small network of convolutions trains on a device as on the host") {
  test::Random random(38);
  const auto images = random.tensor<float>({4, 2, 6, 6});
  compareWithHost({images, random.tensor<float>({3, 2, 3, 3}, -0.5, 0.5), random.tensor<float>({3}),
                   random.tensor<float>({27, 5}, -0.5, 0.5)},
                  [](const auto& w) {
                    const auto seen =
                        maxPool2d(relu(conv2d(w[0], w[1], w[2], {.padding = 1})), {.window = 2});
                    return matmul(reshape(seen, {4, 27}), w[3]);
                  });
}

TEST_CASE("shapes that do not fit have the host's messages on a device") {
  const auto messages = [](const auto& images, const auto& filters) {
    return std::vector{errorOf([&] { return conv2d(images, filters); }),
                       errorOf([&] { return conv2d(images, filters, {.stride = 0}); }),
                       errorOf([&] { return maxPool2d(images, {.window = 9}); }),
                       errorOf([&] { return avgPool2d(images, {.window = 2, .padding = 2}); })};
  };
  const auto expected =
      compareErrors(messages, Tensor<float>::zeros({1, 3, 5, 5}), Tensor<float>::zeros({4, 2, 3, 3}));
  CHECK(expected[0].find("the channels differ") != std::string::npos);
}
