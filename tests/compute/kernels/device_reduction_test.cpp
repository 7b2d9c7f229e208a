#include <tapestry/compute/kernels/device_reduction.hpp>

#include <doctest/doctest.h>

#include <limits>
#include <regex>
#include <string>
#include <vector>

#include <tapestry/compute/device_error.hpp>
#include <tapestry/compute/kernels/device_elementwise.hpp>
#include <tapestry/compute/kernels/device_kernels.hpp>
#include <tapestry/tensor/kernels/arithmetic.hpp>
#include <tapestry/tensor/kernels/broadcast.hpp>
#include <tapestry/tensor/kernels/elementwise.hpp>
#include <tapestry/tensor/kernels/reduction.hpp>
#include <tapestry/tensor/kernels/softmax.hpp>
#include <tapestry/tensor/shape_error.hpp>

#include "support/devices/any_device.hpp"
#include "support/devices/fake_device.hpp"
#include "support/error_text.hpp"
#include "tensor/kernels/support.hpp"

using namespace tapestry;
using namespace tapestry::test;
using E = DeviceElementwise;
using R = DeviceReduction;

TEST_CASE_TEMPLATE("reductions of random shapes and axes are the host's", T, float, double) {
  test::Random random(7);
  for (int round = 0; round < 60; ++round) {
    const Shape shape = random.shape();
    const Tensor<T> x = random.tensor<T>(shape);
    const DeviceTensor<T> own(testDevice(), x);
    std::vector<std::ptrdiff_t> chosen;
    for (std::size_t axis = 0; axis < shape.rank(); ++axis)
      if (random.below(2) == 0) chosen.push_back(static_cast<std::ptrdiff_t>(axis));
    const Axes axes(chosen);
    const bool keepDims = random.below(2) == 0;
    REQUIRE(isClose(hostOf(R::sum(own, axes, keepDims)), kernels::sum(x, axes, keepDims), tolerance<T>));
    REQUIRE(isClose(hostOf(R::mean(own, axes, keepDims)), kernels::mean(x, axes, keepDims), tolerance<T>));
    if (x.size() == 0) continue;
    REQUIRE(hostOf(R::max(own, axes, keepDims)) == kernels::max(x, axes, keepDims));
    REQUIRE(isClose(hostOf(kernels::logSumExp(own, axes, keepDims)), kernels::logSumExp(x, axes, keepDims),
                    tolerance<T>));
    REQUIRE(isClose(hostOf(kernels::softmax(own, axes)), kernels::softmax(x, axes), tolerance<T>));
    REQUIRE(isClose(hostOf(kernels::logSoftmax(own, axes)), kernels::logSoftmax(x, axes), tolerance<T>));
    const Tensor<T> delta = random.tensor<T>(kernels::max(x, axes).shape());
    REQUIRE(isClose(hostOf(R::maxDerivative(DeviceTensor<T>(testDevice(), delta), own, axes)),
                    kernels::maxDerivative(delta, x, axes), tolerance<T>));
    const Shape small = random.stretching(shape);
    REQUIRE(isClose(hostOf(R::sumTo(own, small)), kernels::sumTo(x, small), tolerance<T>));
    REQUIRE(isClose(hostOf(R::broadcastTo(DeviceTensor<T>(testDevice(), kernels::sumTo(x, small)), shape)),
                    kernels::broadcastTo(kernels::sumTo(x, small), shape), tolerance<T>));
  }
}

TEST_CASE("a reduction computes its operand in its own kernel, and stores it for others") {
  const Device& device = testDevice();
  const DeviceTensor<float> x(device, Tensor<float>::full({4, 9}, 2));
  const DeviceTensor<float> y = E::multiply(x, 3.0F);
  const auto before = device.counts();
  CHECK(hostOf(R::sum(y, {1})) == Tensor<float>::full({4}, 54));
  CHECK(hostOf(y) == Tensor<float>::full({4, 9}, 6));
  CHECK(device.counts().kernels == before.kernels + 1);
}

TEST_CASE("a reduction of a reduction, of a view and of a constant") {
  const Device& device = testDevice();
  test::Random random(8);
  const Tensor<float> x = random.tensor<float>({4, 5, 6});
  const DeviceTensor<float> own(device, x);
  CHECK(isClose(hostOf(kernels::sum(R::max(own, {1}))),
                Tensor<float>::scalar(kernels::sum(kernels::max(x, {1}))), 1e-5));
  CHECK(isClose(hostOf(R::sum(own.permute({2, 0, 1}), {1, 2})), kernels::sum(x, {0, 1}), 1e-5));
  CHECK(
      isClose(hostOf(R::sum(E::exp(own.permute({2, 0, 1})), {0})), kernels::sum(kernels::exp(x), {2}), 1e-5));
  CHECK(hostOf(R::sum(DeviceTensor<float>::full({4, 5}, 2), {0})) == Tensor<float>::full({5}, 8));
}

TEST_CASE("the sum of no elements is 0, whichever constant they have") {
  for (const float each : {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()})
    CHECK(hostOf(R::sum(DeviceTensor<float>::full({0, 3}, each), {0})) == Tensor<float>::zeros({3}));
}

TEST_CASE("logSumExp of nothing is on the device of its operand") {
  const auto nothing =
      kernels::logSumExp(DeviceTensor<float>(testDevice(), Tensor<float>::zeros({0, 3})), {0});
  CHECK(nothing.device());
  CHECK(hostOf(nothing) == Tensor<float>::full({3}, -std::numeric_limits<float>::infinity()));
}

TEST_CASE("max refuses to choose from nothing") {
  const DeviceTensor<float> x(testDevice(), Tensor<float>::full({3, 0}, 1));
  CHECK_THROWS_AS(R::max(x, {1}), ShapeError);
  CHECK_THROWS_AS(R::sum(x, {2}), ShapeError);
}

TEST_CASE("softmax and logSoftmax of nothing refuse an axis that it lacks, as on the host") {
  const DeviceTensor<float> x(testDevice(), Tensor<float>::full({3, 0}, 1));
  CHECK_THROWS_AS(kernels::softmax(x, {2}), ShapeError);
  CHECK_THROWS_AS(kernels::logSoftmax(x, {2}), ShapeError);
  CHECK(hostOf(kernels::softmax(x, {1})).shape() == Shape{3, 0});
  CHECK(hostOf(kernels::logSoftmax(x, {1})).shape() == Shape{3, 0});
}

TEST_CASE_TEMPLATE("cross entropy of rows, and its derivative", T, float, double) {
  test::Random random(9);
  const Tensor<T> logits = random.tensor<T>({6, 10}, -5, 5), delta = random.tensor<T>({6});
  const std::vector<std::uint32_t> labels{3, 0, 9, 9, 1, 5};
  const DeviceTensor<T> own(testDevice(), logits), ownDelta(testDevice(), delta);
  CHECK(isClose(hostOf(R::crossEntropyRows(own, labels)), kernels::crossEntropyRows(logits, labels),
                tolerance<T>));
  CHECK(isClose(hostOf(R::crossEntropyRowsDerivative(ownDelta, own, labels)),
                kernels::crossEntropyRowsDerivative(delta, logits, labels), tolerance<T>));
  CHECK_THROWS_AS(R::crossEntropyRows(own, std::vector<std::uint32_t>{1}), ShapeError);
  CHECK_THROWS_AS(R::crossEntropyRows(own, std::vector<std::uint32_t>(6, 10)), std::out_of_range);
}

TEST_CASE("the cross entropy refuses more classes than a float can count") {
  constexpr std::size_t most = std::size_t{1} << 24;
  const DeviceTensor<float> logit(testDevice(), Tensor<float>::full({1, 1}, 1));
  const std::vector<std::uint32_t> label{0};
  CHECK(R::crossEntropyRows(logit.broadcastTo({1, most}), label).shape() == Shape{1});
  const DeviceTensor<float> logits = logit.broadcastTo({1, most + 1});
  CHECK_THROWS_AS(R::crossEntropyRows(logits, label), ShapeError);
  CHECK_THROWS_AS(R::crossEntropyRowsDerivative(logit.reshape({1}), logits, label), ShapeError);
}

TEST_CASE("the derivative of the cross entropy refuses the deltas that the host refuses, with its words") {
  const std::vector<std::uint32_t> labels{1, 0}, label{1};
  const auto requireRefused = [](const Tensor<float>& delta, const Tensor<float>& logits,
                                 const kernels::Labels& of) {
    const std::string text =
        errorOf([&] { static_cast<void>(kernels::crossEntropyRowsDerivative(delta, logits, of)); });
    REQUIRE(text.find("a delta of the wrong shape") != std::string::npos);
    CHECK(errorOf([&] {
            static_cast<void>(R::crossEntropyRowsDerivative(DeviceTensor<float>(testDevice(), delta),
                                                            DeviceTensor<float>(testDevice(), logits), of));
          }) == text);
  };
  const Tensor<float> batch = Tensor<float>::full({2, 3}, 1), row = Tensor<float>::full({3}, 1);
  for (const Shape& wrong : {Shape{3}, Shape{2, 1}, Shape{}})
    requireRefused(Tensor<float>::full(wrong, 1), batch, labels);
  for (const Shape& wrong : {Shape{1}, Shape{3}}) requireRefused(Tensor<float>::full(wrong, 1), row, label);
}

TEST_CASE("a device with groups reduces the innermost axis in groups") {
  auto log = std::make_shared<FakeDeviceLog>();
  log->memoryLimit = std::size_t{1} << 26;
  const Device device("fake", std::make_unique<FakeDevice>(log, 64, 4));
  const DeviceTensor<float> x(device, Tensor<float>::full({100000}, 1));
  static_cast<void>(hostOf(kernels::sum(E::exp(x))));
  static_cast<void>(hostOf(E::exp(x)));
  const auto starts = [&](const std::string& text) {
    return std::count_if(log->commands.begin(), log->commands.end(),
                         [&](const std::string& command) { return command.starts_with(text); });
  };
  CHECK(starts("launch sum_of_exp") == 1);
  CHECK(starts("launch sum_of ") >= 1);  // the second pass
  CHECK(starts("launch wide_exp") == 1);
  CHECK(log->sources[0].find("LOCAL float sums[64]") != std::string::npos);
  // names that OpenCL C reserves; `half` is a type on devices with cl_khr_fp16
  const std::regex reserved("\\b(half|quad|complex|imaginary)\\b");
  for (const std::string& source : log->sources) CHECK_FALSE(std::regex_search(source, reserved));
}

TEST_CASE("a score that a causal query does not see leaves nothing, not even a NaN") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const DeviceTensor<float> scores(testDevice(), Tensor<float>({2, 2}, {1, nan, 0, 0}));
  CHECK(hostOf(R::attentionWeights(scores, {.causal = true})) == Tensor<float>({2, 2}, {1, 0, 0.5F, 0.5F}));
}

TEST_CASE("scores of rank 0 and 1 are one row of attention, as on the host") {
  for (const Shape& shape : {Shape{3}, Shape{}}) {
    for (const bool causal : {false, true}) {
      CAPTURE(causal);
      const Tensor<float> scores = Tensor<float>::full(shape, 2);
      const kernels::Attention attention{.causal = causal};
      CHECK(isClose(hostOf(R::attentionWeights(DeviceTensor<float>(testDevice(), scores), attention)),
                    kernels::attentionWeights(scores, attention), 1e-6));
    }
  }
}

TEST_CASE("scores of queries without elements, and their derivatives, are 0, as on the host") {
  const DeviceTensor<float> q(testDevice(), Tensor<float>::zeros({2, 0})),
      k(testDevice(), Tensor<float>::zeros({3, 0})), delta(testDevice(), Tensor<float>::zeros({2, 3}));
  CHECK(hostOf(kernels::attentionScores(q, k)) == Tensor<float>::zeros({2, 3}));
  CHECK(hostOf(kernels::attentionScoresDerivativeLeft(delta, k)).shape() == Shape{2, 0});
  CHECK(hostOf(kernels::attentionScoresDerivativeRight(delta, q)).shape() == Shape{3, 0});
}

TEST_CASE("causal scores that are constants are an error, and operands that do not fit") {
  const auto zeros = DeviceTensor<float>::zeros({2, 2});
  CHECK_THROWS_AS(R::attentionWeights(zeros, {.causal = true}), DeviceError);
  CHECK(errorOf([&] {
          static_cast<void>(kernels::attentionScores(zeros, DeviceTensor<float>::zeros({2, 3})));
        }).find("scaledDotProductAttention") != std::string::npos);
}

TEST_CASE("the weights of a row with an infinite score are NaN, as on the host") {
  const float inf = std::numeric_limits<float>::infinity();
  const Tensor<float> scores({3, 3}, {inf, 1, 2, 1, inf, 3, 1, 2, inf});
  for (const bool causal : {false, true}) {
    const kernels::Attention attention{.causal = causal};
    CHECK(isClose(hostOf(R::attentionWeights(DeviceTensor<float>(testDevice(), scores), attention)),
                  kernels::attentionWeights(scores, attention), 1e-6));
  }
}

TEST_CASE("a sum of no elements with more results than a kernel can count is refused") {
  const std::size_t extent = (std::size_t{1} << 32) + 5;
  const DeviceTensor<float> x(testDevice(), Tensor<float>::zeros({0, extent}));
  CHECK_THROWS_AS(R::sum(x, {0}), ShapeError);
}

TEST_CASE("a delta of a maximum that has another size is named") {
  const DeviceTensor<float> x(testDevice(), Tensor<float>::full({2, 3}, 1));
  const DeviceTensor<float> delta(testDevice(), Tensor<float>::full({3}, 1));
  CHECK(errorOf([&] { return R::maxDerivative(delta, x, {1}); }) ==
        errorOf([&] { return kernels::maxDerivative(hostOf(delta), hostOf(x), {1}); }));
}
