#include <tapestry/deeplearning/operations/activation/elu.hpp>

#include "deeplearning/operations/support.hpp"

using namespace tapestry::test;

TEST_CASE("elu keeps positive values, approaches minus alpha, and has the mean of the slopes at zero") {
  checkElementwise([](const auto& x) { return tapestry::elu(x, 0.5); },
                   {.exact = {{2.5, 2.5}, {-1e4, -0.5, 0}, {0, 0, 0.75}, {1, 1, 1}, {1e4, 1e4}},
                    .near = {{-1, -0.31606027941427883}},
                    .from = {.low = 0.1, .mirrored = true}});
}

TEST_CASE("alpha of elu is 1 unless given") {
  const auto eluOf = [](const auto& x) { return tapestry::elu(x); };
  checkPoints<double>(eluOf, {{-1e4, -1, 0}, {0, 0, 1}, {1, 1, 1}});
  checkPoints<double>(eluOf, {{-1, -0.6321205588285577}}, 1e-14);
}

TEST_CASE("elu refuses an alpha that is not finite") {
  const tapestry::Tensor<float> x({1}, {1});
  CHECK_THROWS_AS(tapestry::elu(x, 1e39), std::invalid_argument);
  CHECK_THROWS_AS(tapestry::elu(1.0, std::numeric_limits<double>::quiet_NaN()), std::invalid_argument);
}
