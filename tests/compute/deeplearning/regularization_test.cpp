// Operations of regularization on devices: the host's values and gradients.
#include <doctest/doctest.h>

#include <string>
#include <type_traits>
#include <vector>

#include <tapestry/tensor/shape_error.hpp>

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

namespace {

/// What batchNorm of weights gives when it trains twice and predicts then, with its running averages.
template <class X>
std::vector<X> batchNormResults(const std::vector<Weight<X>>& w, const X& zeros, const X& ones) {
  const BatchStatistics<std::conditional_t<OwnKernels<X>, X, float>> statistics{
      RunningAverage<X>(zeros, 0.25), RunningAverage<X>(ones, 0.25)};
  const auto y = batchNorm(tanh(w[0]), w[1], w[2], statistics);
  const auto run = gradients(sum(y * y * w[0])).blockingAwait();
  std::vector<X> results{inMode(Mode::train, predict(y)).blockingAwait()};
  for (const Weight<X>& weight : w) results.push_back(run.of(weight));
  for (int step = 0; step < 2; ++step) train(sum(y)).blockingAwait();
  for (const auto& average : {statistics.mean, statistics.variance}) results.push_back(average.data());
  results.push_back(predict(y).blockingAwait());
  statistics.mean.setData(ones);
  results.push_back(predict(y).blockingAwait());
  return results;
}

}  // namespace

TEST_CASE("batchNorm has the host's values, gradients and running averages on a device") {
  test::Random random(39);
  const auto on = [](const Tensor<float>& x) { return DeviceTensor<float>(testDevice(), x); };
  for (const Shape& shape : {Shape{9, 3}, Shape{4, 3, 5}, Shape{3, 3, 4, 2}}) {
    std::vector<Weight<Tensor<float>>> onHost;
    std::vector<Weight<DeviceTensor<float>>> onDevice;
    for (const Shape& each : {shape, Shape{3}, Shape{3}}) {
      const auto x = random.tensor<float>(each);
      onHost.emplace_back(x, sgd(0.1));
      onDevice.emplace_back(on(x), sgd(0.1));
    }
    const auto zeros = Tensor<float>::zeros({3}), ones = Tensor<float>::full({3}, 1);
    const auto expected = batchNormResults(onHost, zeros, ones);
    const auto got = batchNormResults(onDevice, on(zeros), on(ones));
    for (std::size_t i = 0; i < expected.size(); ++i) {
      CAPTURE(i);
      CHECK(isClose(hostOf(got[i]), expected[i], 1e-5));
    }
  }
}

TEST_CASE("a running average of a device follows the passes that step, and keeps no other buffer") {
  const Device device = Device::open(testDeviceName());
  {
    const auto on = [&](const Tensor<float>& x) { return DeviceTensor<float>(device, x); };
    const RunningAverage<DeviceTensor<float>> average(on(Tensor<float>({2}, {1, 2})), 0.5);
    const Weight<DeviceTensor<float>> w(on(Tensor<float>({2}, {3, 4})), sgd(0));
    const auto observing = [&](const Tensor<float>& value) {
      return Layer<DeviceTensor<float>>(
          average.observe(on(value)).flatMap([=] { return forward(sum(w * w)); }));
    };
    train(observing(Tensor<float>({2}, {3, 4}))).blockingAwait();
    CHECK(hostOf(average.data()) == Tensor<float>({2}, {2, 3}));
    predict(observing(Tensor<float>({2}, {9, 9}))).blockingAwait();
    CHECK(hostOf(average.data()) == Tensor<float>({2}, {2, 3}));
    CHECK(device.counts().buffers == 2);
    CHECK_THROWS_AS(train(observing(Tensor<float>({1}, {1}))).blockingAwait(), ShapeError);
    CHECK_THROWS_AS(average.setData(DeviceTensor<float>::zeros({3})), ShapeError);
  }
  CHECK(device.counts().buffers == 0);
}

TEST_CASE("batchNorm has the host's messages on a device") {
  const auto messages = [](const auto& x, const auto& one) {
    using X = std::decay_t<decltype(x)>;
    const BatchStatistics<std::conditional_t<OwnKernels<X>, X, float>> statistics{RunningAverage<X>(one),
                                                                                  RunningAverage<X>(one)};
    const Weight<X> gain(one);
    return std::vector{
        errorOf([&] {
          return batchNorm(reshape(x, {2, 2}), gain, gain, statistics);
        }),
        errorOf([&] {
          const auto y = batchNorm(reshape(x, {1, 1, 4}), gain, gain, statistics);
          return predict(y).blockingAwait();
        }),
        errorOf([&] {
          const auto y = batchNorm(slice(reshape(x, {4, 1}), {Slice{0, 1}}), gain, gain, statistics);
          return inMode(Mode::train, predict(y)).blockingAwait();
        })};
  };
  const auto expected = compareMessages(messages, Tensor<float>::zeros({4}), Tensor<float>::full({1}, 1));
  CHECK(expected[0].find("batchNorm") != std::string::npos);
  CHECK(expected[1] == "none");
  CHECK(expected[2].find("a channel has no variance") != std::string::npos);
}

TEST_CASE("layerNorm has the host's values and gradients on a device") {
  test::Random random(33);
  const auto x = random.tensor<float>({5, 4, 7});
  compareWithHost({x}, [](const auto& w) { return layerNorm(w[0]) * w[0]; });
  compareWithHost({x}, [](const auto& w) { return layerNorm(w[0], {1e-3, {1}}) * w[0]; });
  compareWithHost({x, random.tensor<float>({7}), random.tensor<float>({7})},
                  [](const auto& w) { return layerNorm(w[0], w[1], w[2]); });
}
