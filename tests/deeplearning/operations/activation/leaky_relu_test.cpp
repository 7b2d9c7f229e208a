#include <tapestry/deeplearning/operations/activation/leaky_relu.hpp>

#include "deeplearning/operations/support.hpp"
#include "tapestry/deeplearning/operations/reduction/min.hpp"
#include "tapestry/deeplearning/operations/reduction/sum.hpp"

using namespace tapestry::test;
using tapestry::DoubleTensorWeight;
using tapestry::Tensor;

TEST_CASE("leakyRelu keeps positive values, a share of the rest, and has the mean of the slopes at zero") {
  checkElementwise([](const auto& x) { return tapestry::leakyRelu(x, 0.25); },
                   {.exact = {{-2, -0.5},
                              {2, 2},
                              {-1, -0.25, 0.25},
                              {0, 0, 0.625},
                              {1, 1, 1},
                              {-3, -0.75},
                              {-infinity, -infinity},
                              {notANumber, notANumber}},
                    .from = {.low = 0.1, .mirrored = true}});
}

TEST_CASE("leakyRelu of slope 0 is 0 for all that is negative, without end too, and NaN comes through") {
  checkPoints<double>(
      [](const auto& x) { return tapestry::leakyRelu(x, 0); },
      {{-infinity, 0}, {-2, 0, 0}, {0, 0, 0.5}, {3, 3, 1}, {infinity, infinity}, {-notANumber, notANumber}});
  const DoubleTensorWeight w(Tensor<double>({5}, {-infinity, -2, 0, 3, infinity}));
  CHECK(gradients(sum(min(leakyRelu(w, 0), 4.0))).blockingAwait().of(w) ==
        Tensor<double>({5}, {0, 0, 0.5, 1, 0}));
}

TEST_CASE("leakyRelu refuses a slope that is not finite") {
  const tapestry::Tensor<float> x({1}, {1});
  CHECK_THROWS_AS(tapestry::leakyRelu(x, 1e39), std::invalid_argument);
  CHECK_THROWS_AS(tapestry::leakyRelu(1.0, std::numeric_limits<double>::infinity()), std::invalid_argument);
}
