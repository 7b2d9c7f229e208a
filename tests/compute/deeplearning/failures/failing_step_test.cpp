// A step of a device takes place in all weights or in none, at whichever call of the driver it fails.
#include <doctest/doctest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <tapestry/compute/device_error.hpp>

#include "compute/deeplearning/support.hpp"
#include "support/devices/forwarding_driver.hpp"
#include "tensor/kernels/support.hpp"

using namespace tapestry;
using namespace tapestry::test;

namespace {

/// Which call fails: the function's name, and how many calls of it succeed before. Outlives the driver. The
/// names of a plan change while no command waits.
struct FailurePlan {
  std::string function;
  int before = 0;
  bool hasFailed = false;

  void check(const char* called) {
    if (function != called || before-- != 0) return;
    hasFailed = true;
    throw DeviceError(std::string("planned: ") + called);
  }
};

class FailingDriver final : public ForwardingDriver {
 public:
  explicit FailingDriver(FailurePlan& plan) : plan_(plan) {}

  extend::DeviceMemory allocate(std::size_t bytes) override {
    plan_.check("allocate");
    return ForwardingDriver::allocate(bytes);
  }
  void write(extend::DeviceMemory to, const void* from, std::size_t bytes,
             std::shared_ptr<const void> owner) override {
    plan_.check("write");
    ForwardingDriver::write(to, from, bytes, std::move(owner));
  }
  extend::DeviceKernel compile(const std::string& name, const std::string& source) override {
    plan_.check("compile");
    return ForwardingDriver::compile(name, source);
  }
  void launch(extend::DeviceKernel kernel, std::span<const extend::KernelArgument> arguments,
              std::size_t groups, std::size_t groupSize) override {
    plan_.check("launch");
    ForwardingDriver::launch(kernel, arguments, groups, groupSize);
  }
  void prepareProducts(bool isDouble) override {
    plan_.check("prepareProducts");
    ForwardingDriver::prepareProducts(isDouble);
  }
  void multiply(const extend::DeviceProduct& product) override {
    plan_.check("multiply");
    ForwardingDriver::multiply(product);
  }

 private:
  FailurePlan& plan_;
};

/// Two weights with Adam, on a device of their own.
class FailingStep {
 public:
  explicit FailingStep(FailurePlan& plan)
      : device("failing", std::make_unique<FailingDriver>(plan)),
        w_(drawn({5, 3}), adam({.learningRate = 0.1})),
        b_(drawn({3}), adam({.learningRate = 0.1})),
        x_(drawn({4, 5})) {}

  void train() { tapestry::train(loss()).blockingAwait(); }
  std::vector<Tensor<float>> weights() const { return {hostOf(w_.data()), hostOf(b_.data())}; }

  const Device device;

 private:
  DeviceTensor<float> drawn(const Shape& shape) {
    return DeviceTensor<float>(device, random_.tensor<float>(shape));
  }
  Layer<DeviceTensor<float>> loss() const {
    const std::vector<std::uint32_t> labels{0, 1, 2, 0};
    return Layer<DeviceTensor<float>>(softmaxCrossEntropy(matmul(x_, w_) + b_, labels));
  }

  test::Random random_{19};
  const Weight<DeviceTensor<float>> w_, b_;
  const DeviceTensor<float> x_;
};

/// The weights after no, one, two and three steps.
std::vector<std::vector<Tensor<float>>> undisturbed() {
  FailurePlan plan;
  FailingStep step(plan);
  std::vector<std::vector<Tensor<float>>> weights{step.weights()};
  for (int i = 0; i < 3; ++i) {
    step.train();
    weights.push_back(step.weights());
  }
  step.device.finish().blockingAwait();
  return weights;
}

/// Fails the function's call after `before` others, in the first step or in the second one; the next step is
/// as if nothing had happened, unless what was to be compiled stays what it is. Returns whether there was
/// such a call.
bool failOnce(const std::string& function, bool isWarm, int before,
              const std::vector<std::vector<Tensor<float>>>& expected) {
  FailurePlan plan;
  FailingStep step(plan);
  static_cast<void>(step.weights());
  std::size_t steps = 0;
  if (isWarm) {
    step.train();
    step.device.finish().blockingAwait();
    step.device.trim();
    steps = 1;
  }
  plan.function = function;
  plan.before = before;
  try {
    step.train();
    ++steps;
  } catch (const DeviceError& error) {
    CHECK(std::string(error.what()).starts_with("planned: " + function));
  }
  step.device.finish().blockingAwait();
  plan.function.clear();
  CHECK(step.weights() == expected[steps]);
  if (function != "compile" && function != "prepareProducts") {
    step.train();
    CHECK(step.weights() == expected[steps + 1]);
    CHECK(step.device.counts().buffers == 7);  // x, two weights, and two moments of each
  }
  step.device.finish().blockingAwait();
  return plan.hasFailed;
}

}  // namespace

TEST_CASE("a step that fails at any call of the driver changes no weight, and can be taken again") {
  const auto expected = undisturbed();
  for (const char* function : {"allocate", "write", "compile", "launch", "prepareProducts", "multiply"}) {
    CAPTURE(function);
    int points = 0;
    // memory is taken at the call, whether or not something is to be compiled before
    for (int steps = std::string(function) == "allocate" ? 1 : 0; steps < 2; ++steps)
      for (int before = 0; failOnce(function, steps == 1, before, expected); ++before) ++points;
    CHECK(points > 0);
  }
}
