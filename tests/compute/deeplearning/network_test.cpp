// Networks of device tensors: the same operations, layers and optimizers as on the host, with the same
// results.
#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "compute/deeplearning/support.hpp"
#include "tensor/kernels/support.hpp"

using namespace tapestry;
using namespace tapestry::test;

namespace {

using OnDevice = DeviceTensor<float>;
using Host = Tensor<float>;

OnDevice placed(const Host& x) { return placedAs<OnDevice>(x); }

/// Compares the host with the device, for operands that broadcast.
template <class F>
void compare(const std::string& name, const F& expression, double from = -2, double to = 2,
             const Shape& smallest = {}) {
  CAPTURE(name);
  test::Random random(12);
  for (int round = 0; round < 4; ++round) {
    const Shape shape =
        round == 0 ? smallest : Shape{1 + random.below(6), 1 + random.below(6), 1 + random.below(6)};
    const Shape other = random.stretching(shape);
    const Host a = random.tensor<float>(shape, from, to), b = random.tensor<float>(other, from, to);
    compareWithHost({a, b}, [&](const auto& w) { return expression(w[0], w[1]); });
  }
}

}  // namespace

static_assert(Differentiable<OnDevice>);
static_assert(std::same_as<DataOf<decltype(sum(Weight<OnDevice>({})))>, OnDevice>);

TEST_CASE("elementwise operations have the host's values and gradients") {
  compare("sum", [](const auto& x, const auto& y) { return x + y; });
  compare("difference", [](const auto& x, const auto& y) { return x - y; });
  compare("product", [](const auto& x, const auto& y) { return x * y; });
  compare(
      "quotient", [](const auto& x, const auto& y) { return x / y; }, 0.5, 2);
  compare("max", [](const auto& x, const auto& y) { return max(x, y); });
  compare("min", [](const auto& x, const auto& y) { return min(x, y); });
  compare(
      "pow", [](const auto& x, const auto& y) { return pow(x, y); }, 0.5, 2);
  compare("negate and exp", [](const auto& x, const auto& y) { return exp(-x) * y; });
  compare(
      "log and sqrt", [](const auto& x, const auto& y) { return log(x) + sqrt(y); }, 0.5, 2);
  compare(
      "log1p and expm1", [](const auto& x, const auto& y) { return log1p(x) * expm1(y); }, 0.5, 2);
  compare("sin and cos", [](const auto& x, const auto& y) { return sin(x) * cos(y); });
  compare("abs and relu", [](const auto& x, const auto& y) { return abs(x) + relu(y); });
  compare("tanh and sigmoid", [](const auto& x, const auto& y) { return tanh(x) * sigmoid(y); });
  compare("softplus and silu", [](const auto& x, const auto& y) { return softplus(x) * silu(y); });
  compare("gelu", [](const auto& x, const auto& y) { return gelu(x) * y; });
  compare("leakyRelu and elu", [](const auto& x, const auto& y) { return leakyRelu(x, 0.1) * elu(y, 0.5); });
  compare("numbers", [](const auto& x, const auto& y) { return 2 * x + y * 0.5F - 1; });
}

TEST_CASE("reductions have the host's values and gradients") {
  compare("sum of axes", [](const auto& x, const auto& y) { return sum(x * y, Axes{-1}); }, -2, 2, {1});
  compare("mean of axes", [](const auto& x, const auto& y) { return mean(x * y, Axes{-1}, true); }, -2, 2,
          {1});
  compare("max of axes", [](const auto& x, const auto& y) { return max(x, Axes{-1}, true) * y; }, -2, 2, {1});
  compare("softmax", [](const auto& x, const auto& y) { return softmax(x) * y; }, -2, 2, {1});
  compare("logSoftmax", [](const auto& x, const auto& y) { return logSoftmax(x) * y; }, -2, 2, {1});
}

TEST_CASE("the sum of all elements is a tensor of rank 0, whose delta spreads") {
  test::Random random(13);
  const Host a = random.tensor<float>({4, 3});
  const Weight<Host> x(a);
  const Weight<OnDevice> y(placed(a));
  for (const bool isMean : {false, true}) {
    const auto expected =
        gradients(isMean ? DoubleLayer(mean(x * x)) : DoubleLayer(sum(x * x))).blockingAwait();
    const auto got =
        gradients(isMean ? Layer<OnDevice>(mean(y * y)) : Layer<OnDevice>(sum(y * y))).blockingAwait();
    CHECK(hostOf(got.loss).item() == doctest::Approx(expected.loss).epsilon(1e-5));
    CHECK(isClose(hostOf(got.of(y)), expected.of(x), 1e-5));
  }
}

namespace {

/// Trains a network of two dense layers for a few steps; returns the losses and the weights.
template <class X>
std::vector<Host> trained(const auto& optimizer, int steps) {
  test::Random random(14);
  const std::size_t batch = 12, inputs = 7, hidden = 9, classes = 5;
  Dense<std::conditional_t<std::same_as<X, Host>, float, X>> first(
      placedAs<X>(random.tensor<float>({inputs, hidden}))),
      second(placedAs<X>(random.tensor<float>({hidden, classes})));
  for (const auto& weight : {first.weight, first.bias, second.weight, second.bias})
    weight.setOptimizer(optimizer);
  std::vector<Host> results;
  for (int step = 0; step < steps; ++step) {
    const X images = placedAs<X>(random.tensor<float>({batch, inputs}));
    std::vector<std::uint32_t> labels;
    for (std::size_t i = 0; i < batch; ++i)
      labels.push_back(static_cast<std::uint32_t>(random.below(classes)));
    const auto loss = train(softmaxCrossEntropy(second(relu(first(images))), labels)).blockingAwait();
    if constexpr (std::same_as<X, Host>)
      results.push_back(Host::scalar(static_cast<float>(loss)));
    else
      results.push_back(hostOf(loss));
  }
  for (const auto& weight : {first.weight, first.bias, second.weight, second.bias})
    results.push_back(valuesOf(weight.data()));
  return results;
}

void compareTraining(const std::string& name, const auto& optimizer) {
  CAPTURE(name);
  const auto expected = trained<Host>(optimizer, 5), got = trained<OnDevice>(optimizer, 5);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CAPTURE(i);
    CHECK(isClose(got[i], expected[i], 1e-5));
  }
}

}  // namespace

TEST_CASE("a prediction that uses the first rows of a value, and all of it, is the host's") {
  test::Random random(18);
  const Host values = random.tensor<float>({100, 10});
  { const OnDevice unwritten = placed(Host::full({100, 10}, 7)); }  // a recycled buffer
  const auto predicted = [](const auto& w) {
    const auto h = tanh(w);
    const auto first = slice(h * 2.0F, {Slice{.start = 0, .stop = 2}});
    return predict(sum(exp(first)) * sum(h + 1.0F)).blockingAwait();
  };
  const double expected = predicted(Weight<Host>(values));
  CHECK(hostOf(predicted(Weight<OnDevice>(placed(values)))).item() ==
        doctest::Approx(expected).epsilon(1e-5));
}

TEST_CASE("training takes the host's steps, with each optimizer") {
  compareTraining("sgd", sgd(0.1));
  compareTraining("momentum", momentum({.learningRate = 0.1}));
  compareTraining("adagrad", adagrad({.learningRate = 0.1}));
  compareTraining("rmsprop", rmsprop({.learningRate = 0.01}));
  compareTraining("adam", adam({.learningRate = 0.01}));
  compareTraining("adamW", adamW({.learningRate = 0.01}));
  compareTraining("a schedule",
                  adam({.learningRate = warmUp(2, cosineDecay({.initial = 0.05, .steps = 4}))}));
  compareTraining("steps", nesterov({.learningRate = warmUp(1, stepDecay({.initial = 0.1, .every = 2}))}));
  compareTraining("a chain", chain(clipByValue(0.5), l2(1e-2), adam({.learningRate = 0.01})));
}

TEST_CASE("a training step transfers nothing but the labels, and Adam's step is one kernel a weight") {
  test::Random random(15);
  const Device& device = testDevice();
  const Weight<OnDevice> w(placed(random.tensor<float>({6, 4})), adam({}));
  const OnDevice x = placed(random.tensor<float>({8, 6}));
  const auto step = [&] { return train(mean(matmul(x, w))).blockingAwait(); };
  step().compute();
  device.finish().blockingAwait();
  const auto before = device.counts();
  const OnDevice loss = step();
  const auto after = device.counts();
  CHECK(after.uploads == before.uploads);
  CHECK(after.downloads == before.downloads);
  // the delta of the product, and the step; the loss is not computed before somebody asks for it
  CHECK(after.kernels == before.kernels + 2);
  CHECK(after.products == before.products + 2);
  static_cast<void>(hostOf(loss));
  CHECK(device.counts().downloads == before.downloads + 1);
}

TEST_CASE("the labels of a batch are copied once for forward and backward, and for each pass of one loss") {
  test::Random random(17);
  const Device& device = testDevice();
  const Weight<OnDevice> w(placed(random.tensor<float>({6, 4})), sgd(0.1));
  const OnDevice x = placed(random.tensor<float>({3, 6}));
  const auto lossOf = [&] { return softmaxCrossEntropy(matmul(x, w), std::vector<std::uint32_t>{0, 3, 1}); };
  const auto loss = lossOf();
  const auto before = device.counts();
  hostOf(train(loss).blockingAwait());
  CHECK(device.counts().uploads == before.uploads + 1);
  hostOf(train(loss).blockingAwait());
  CHECK(device.counts().uploads == before.uploads + 1);
  hostOf(train(lossOf()).blockingAwait());
  CHECK(device.counts().uploads == before.uploads + 2);
}

TEST_CASE("a chain of 20 operations is one kernel forward and at most two backward") {
  const Device& device = testDevice();
  const Weight<OnDevice> w(placed(Host::full({50}, 0.5F)), sgd(0.1));
  Layer<OnDevice> y = tanh(w * 1.5F);
  for (int i = 0; i < 9; ++i) y = tanh(y * 1.5F);
  const Layer<OnDevice> loss = sum(y);
  train(loss).blockingAwait();
  device.finish().blockingAwait();
  const auto before = device.counts();
  hostOf(train(loss).blockingAwait());
  CHECK(device.counts().kernels <= before.kernels + 3);  // the step's kernel is the last of the backward
}

TEST_CASE("a network looks at a device value by awaiting it") {
  const Weight<OnDevice> w(placed(Host::full({3}, 2)), sgd(0.1));
  const Layer<OnDevice> total = sum(w * w);
  const auto chosen = Layer<OnDevice>(forward(total).flatMap([=](const auto& tape) {
    return tape.data.toHost().flatMap([=](const Host& value) {
      return forward(value.item() > 10 ? Layer<OnDevice>(total * 2.0F) : Layer<OnDevice>(total * 3.0F));
    });
  }));
  CHECK(hostOf(predict(chosen).blockingAwait()).item() == 24);
  const auto run = gradients(chosen).blockingAwait();
  CHECK(hostOf(run.of(w)) == Host::full({3}, 8));
}
