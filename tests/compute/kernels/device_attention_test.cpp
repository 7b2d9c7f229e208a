#include <tapestry/compute/kernels/device_attention.hpp>

#include <doctest/doctest.h>

#include <limits>
#include <string>

#include <tapestry/compute/device_error.hpp>
#include <tapestry/compute/kernels/device_kernels.hpp>

#include "support/any_device.hpp"
#include "support/error_text.hpp"
#include "tensor/kernels/support.hpp"

using namespace tapestry;
using namespace tapestry::test;

TEST_CASE_TEMPLATE("the kernels of attention have the host's values on a device", T, float, double) {
  test::Random random(41);
  const auto q = random.tensor<T>({3, 4, 6}), k = random.tensor<T>({5, 6}),
             delta = random.tensor<T>({3, 4, 5});
  const auto on = [](const Tensor<T>& x) { return DeviceTensor<T>(testDevice(), x); };
  const double allowed = tolerance<T>;
  const auto scores = kernels::attentionScores(q, k);
  CHECK(isClose(hostOf(kernels::attentionScores(on(q), on(k))), scores, allowed));
  CHECK(isClose(hostOf(kernels::attentionScoresDerivativeLeft(on(delta), on(k))),
                kernels::attentionScoresDerivativeLeft(delta, k), allowed));
  CHECK(isClose(hostOf(kernels::attentionScoresDerivativeRight(on(delta), on(q))),
                kernels::attentionScoresDerivativeRight(delta, q), allowed));
  for (const bool causal : {false, true}) {
    const auto weights = kernels::attentionWeights(scores, {causal});
    CHECK(isClose(hostOf(kernels::attentionWeights(on(scores), {causal})), weights, allowed));
    CHECK(isClose(hostOf(kernels::attentionWeightsDerivative(on(delta), on(weights))),
                  kernels::attentionWeightsDerivative(delta, weights), allowed));
  }
}

TEST_CASE("a score that a causal query does not see leaves nothing, not even a NaN") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const DeviceTensor<float> scores(testDevice(), Tensor<float>({2, 2}, {1, nan, 0, 0}));
  CHECK(hostOf(kernels::attentionWeights(scores, {.causal = true})) ==
        Tensor<float>({2, 2}, {1, 0, 0.5F, 0.5F}));
}

TEST_CASE("causal scores that are constants are an error, and operands that do not fit") {
  const auto zeros = DeviceTensor<float>::zeros({2, 2});
  CHECK_THROWS_AS(kernels::attentionWeights(zeros, {.causal = true}), DeviceError);
  CHECK(errorOf([&] {
          static_cast<void>(kernels::attentionScores(zeros, DeviceTensor<float>::zeros({2, 3})));
        }).find("scaledDotProductAttention") != std::string::npos);
}
