#include <tapestry/compute/extend/device_driver.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <thread>
#include <vector>

#include <tapestry/compute/device.hpp>
#include <tapestry/compute/device_tensor.hpp>
#include <tapestry/compute/kernels/device_elementwise.hpp>

#include "support/any_device.hpp"
#include "support/fake_device.hpp"

using namespace tapestry;
using namespace tapestry::test;

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
  CHECK(log->memory.empty());
}

TEST_CASE("an error of a launch goes to those that need its result") {
  auto log = std::make_shared<FakeDeviceLog>();
  const Device device("mine", std::make_unique<FakeDevice>(log));
  const DeviceTensor<float> x(device, Tensor<float>::full({2}, 1));
  log->launches = false;
  const DeviceTensor<float> y = DeviceElementwise::exp(x);
  CHECK_THROWS_AS(hostOf(y), DeviceError);
  CHECK_THROWS_AS(hostOf(DeviceElementwise::add(y, x)), DeviceError);
  CHECK(hostOf(x)(1) == 1);
}
