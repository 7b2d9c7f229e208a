#include <tapestry/compute/extend/device_driver.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <future>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <tapestry/compute/device.hpp>
#include <tapestry/compute/device_tensor.hpp>
#include <tapestry/compute/kernels/device_elementwise.hpp>
#include <tapestry/compute/kernels/device_layout.hpp>
#include <tapestry/compute/kernels/device_reduction.hpp>

#include "support/devices/any_device.hpp"
#include "support/devices/fake_device.hpp"
#include "support/devices/forwarding_driver.hpp"
#include "support/error_text.hpp"
#include "support/threads/within.hpp"

using namespace tapestry;
using namespace tapestry::test;

namespace {

/// The device of the tests, whose kernels take few arguments.
class NarrowDriver final : public ForwardingDriver {
 public:
  NarrowDriver(std::size_t bytes, std::size_t& most)
      : properties_(ForwardingDriver::properties()), most_(most) {
    properties_.parameterBytes = bytes;
  }

  const extend::DeviceProperties& properties() const noexcept override { return properties_; }
  void launch(extend::DeviceKernel kernel, std::span<const extend::KernelArgument> arguments,
              std::size_t groups, std::size_t groupSize) override {
    most_ = std::max(most_, 8 * arguments.size());
    ForwardingDriver::launch(kernel, arguments, groups, groupSize);
  }

 private:
  extend::DeviceProperties properties_;
  std::size_t& most_;
};

/// A sum of 24 products of views, some of which other handles have, its sum along an axis, and itself as a
/// part of a larger tensor.
std::vector<DeviceTensor<float>> manyOperands(const Device& device) {
  std::vector<DeviceTensor<float>> kept;
  DeviceTensor<float> total = DeviceTensor<float>::zeros({6, 4});
  for (std::uint64_t i = 0; i < 24; ++i) {
    const auto x = DeviceTensor<float>::random(device, {4, 6}, i);
    x.compute();
    const DeviceTensor<float> product = DeviceElementwise::multiply(
        x.permute({1, 0}),
        DeviceElementwise::subtract(DeviceTensor<float>::random(device, {6, 4}, 99 + i), 0.5F));
    if (i % 5 == 0) kept.push_back(product);
    total = DeviceElementwise::add(total, product);
  }
  kept.push_back(DeviceReduction::sum(DeviceElementwise::exp(total), {0}));
  kept.push_back(DeviceLayout::concat<float>({DeviceElementwise::sin(total), total}, 0));
  kept.push_back(total);
  return kept;
}

}  // namespace

TEST_CASE("expressions become several kernels where one would have more arguments than the device takes") {
  std::size_t mostBytes = 0, narrowBytes = 0;
  const Device wide("wide", std::make_unique<NarrowDriver>(4096, mostBytes)),
      narrow("narrow", std::make_unique<NarrowDriver>(128, narrowBytes));
  const auto expected = manyOperands(wide), got = manyOperands(narrow);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CAPTURE(i);
    CHECK(isClose(hostOf(got[i]), hostOf(expected[i]), 1e-5));
  }
  CHECK(mostBytes > 256);
  CHECK(narrowBytes <= 128);
  CHECK(narrow.counts().kernels > wide.counts().kernels);
}

TEST_CASE("a driver of the user's own serves a device") {
  auto log = std::make_shared<FakeDeviceLog>();
  {
    const Device device("mine", std::make_unique<FakeDevice>(log));
    CHECK(device.name() == "mine");
    CHECK(device.properties().driver == "fake driver");
    const DeviceTensor<float> x(device, Tensor<float>(Shape{2}, {1, 2}));
    CHECK(hostOf(x) == Tensor<float>(Shape{2}, {1, 2}));
    DeviceElementwise::exp(x).compute();
    device.finish().blockingAwait();
  }
  // a thread that has compiled a kernel may be the last to release the device
  REQUIRE(within(std::chrono::seconds(10), [&] { return log.use_count() == 1; }));
  CHECK(log->memory.empty());
  CHECK(log->commands == std::vector<std::string>{"write 8", "read 8", "launch each_exp 3 1x256", "closed"});
}

TEST_CASE("threads share the tensors of a device") {
  auto log = std::make_shared<FakeDeviceLog>();
  {
    const Device device("mine", std::make_unique<FakeDevice>(log));
    const DeviceTensor<float> x(device, Tensor<float>::full({8}, 1));
    const DeviceTensor<float> shared = DeviceElementwise::exp(x);
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([=] {
        for (int round = 0; round < 50; ++round) {
          const DeviceTensor<float> own = DeviceElementwise::add(shared, static_cast<float>(i));
          DeviceElementwise::multiply(own.reshape({2, 4}), shared.reshape({2, 4})).compute();
          static_cast<void>(hostOf(own));
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(device.counts().downloads == 200);
    CHECK(device.counts().buffers == 2);  // x, and what all threads shared
  }
  // a thread that has compiled a kernel may be the last to release the device
  REQUIRE(within(std::chrono::seconds(10), [&] { return log.use_count() == 1; }));
  CHECK(log->memory.empty());
}

TEST_CASE("an error of a launch fails the values that need its result") {
  auto log = std::make_shared<FakeDeviceLog>();
  const Device device("mine", std::make_unique<FakeDevice>(log));
  const DeviceTensor<float> x(device, Tensor<float>::full({2}, 1));
  log->launches = false;
  const DeviceTensor<float> y = DeviceElementwise::exp(x);
  for (const bool isCompiled : {false, true}) {
    CAPTURE(isCompiled);
    try {
      hostOf(isCompiled ? DeviceElementwise::exp(x) : y);
      CHECK(false);
    } catch (const DeviceError& error) {
      CHECK(std::string(error.what()) == "fake: launch failed, of kernel each_exp");
      CHECK(error.kernelSource().find("KERNEL void each_exp") != std::string::npos);
    }
  }
  CHECK_THROWS_AS(hostOf(DeviceElementwise::add(y, x)), DeviceError);
  CHECK(hostOf(x)(1) == 1);
}

TEST_CASE("a copy of indices that has failed is read by no kernel, and is made again") {
  auto log = std::make_shared<FakeDeviceLog>();
  const Device device("mine", std::make_unique<FakeDevice>(log));
  const DeviceTensor<float> x(device, Tensor<float>::full({2, 3}, 1));
  const Indices rows(Shape{2}, {0, 1});
  std::promise<void> compiled;
  log->compiling = [wait = compiled.get_future().share()] { wait.wait(); };
  log->failingWrites = 2;
  DeviceElementwise::exp(x).compute();  // the copies wait until it has been compiled, and fail later
  const DeviceTensor<float> gathered = DeviceLayout::gather(x, rows, 0);
  const DeviceTensor<float> scattered = DeviceLayout::scatter(x, rows, 0, 4);
  gathered.compute();
  compiled.set_value();
  CHECK(errorOf([&] { return hostOf(gathered); }) == "fake: write failed");
  CHECK(errorOf([&] { return hostOf(scattered); }) == "fake: write failed");
  const auto launches = [&] {
    return std::count_if(log->commands.begin(), log->commands.end(),
                         [](const std::string& command) { return command.starts_with("launch "); });
  };
  CHECK(launches() == 1);  // the exponential
  CHECK(hostOf(DeviceLayout::gather(x, rows, 0)).shape() == Shape{2, 3});
  CHECK(hostOf(DeviceLayout::scatter(x, rows, 0, 4)).shape() == Shape{4, 3});
  CHECK(launches() == 3);
  CHECK(std::count(log->commands.begin(), log->commands.end(), "write 8") == 1);  // the rows
  CHECK(log->failingWrites == 0);
}

TEST_CASE("an error of memory says that commands which wait for a compiler keep buffers") {
  auto log = std::make_shared<FakeDeviceLog>();
  const Device device("mine", std::make_unique<FakeDevice>(log), {.memoryLimit = 4 * 256});
  std::promise<void> compiled;
  log->compiling = [wait = compiled.get_future().share()] { wait.wait(); };
  DeviceTensor<float> x(device, Tensor<float>::full({2}, 1));
  const std::string text = errorOf([&] {
    for (int i = 0; i < 20; ++i) {
      x = DeviceElementwise::exp(x);
      x.compute();
    }
  });
  compiled.set_value();
  CHECK(text.find("commands keep their buffers until a kernel has been compiled") != std::string::npos);
  device.finish().blockingAwait();
}
