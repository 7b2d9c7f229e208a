// Operations of regularization on devices: the host's values and gradients.
#include <doctest/doctest.h>

#include "compute/deeplearning/support.hpp"
#include "tensor/kernels/support.hpp"

using namespace tapestry;
using namespace tapestry::test;

TEST_CASE("dropout drops on a device what it drops on the host") {
  test::Random random(32);
  compareWithHost({random.tensor<float>({50, 21})}, [](const auto& w) { return dropout(w[0], 0.4); });
  compareWithHost({random.tensor<float>({8, 5})},
                  [](const auto& w) { return dropout(tanh(dropout(w[0], 0.5)), 0.25, 7); });
  compareWithHost({random.tensor<float>({8, 5})}, [](const auto& w) { return Dropout{0.3}(w[0]) * 2; });
}

TEST_CASE("layerNorm has the host's values and gradients on a device") {
  test::Random random(33);
  const auto x = random.tensor<float>({5, 4, 7});
  compareWithHost({x}, [](const auto& w) { return layerNorm(w[0]) * w[0]; });
  compareWithHost({x}, [](const auto& w) { return layerNorm(w[0], {1e-3, {1}}) * w[0]; });
  compareWithHost({x, random.tensor<float>({7}), random.tensor<float>({7})},
                  [](const auto& w) { return layerNorm(w[0], w[1], w[2]); });
}
