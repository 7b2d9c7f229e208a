#include <tapestry/compute/device.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>

#include <tapestry/compute/device_tensor.hpp>
#include <tapestry/compute/kernels/device_elementwise.hpp>
#include <tapestry/compute/kernels/device_kernels.hpp>

#include "support/devices/any_device.hpp"
#include "support/devices/fake_device.hpp"
#include "support/error_text.hpp"
#include "support/threads/within.hpp"

using namespace tapestry;
using namespace tapestry::test;
using E = DeviceElementwise;

TEST_CASE("devices are listed by the names that open them") {
  const auto entries = devices();
  REQUIRE(!entries.empty());
  CHECK(entries[0].name == "opencl:0");
  CHECK(Device::open("opencl").name() == "opencl:0");
  CHECK(Device::open("opencl:0").properties().memory > 0);
}

TEST_CASE("a name without a device is refused, with the names that there are") {
  for (const char* name : {"gpu", "opencl:77", "opencl:x", "opencl0", ""}) {
    const std::string text = errorOf([&] { return Device::open(name); });
    CAPTURE(text);
    CHECK(text.find('\'' + std::string(name) + '\'') != std::string::npos);
    CHECK(text.find("opencl:0") != std::string::npos);
  }
}

TEST_CASE("buffers are recycled, and none is left") {
  auto log = std::make_shared<FakeDeviceLog>();
  {
    const Device device("fake", std::make_unique<FakeDevice>(log));
    {
      const DeviceTensor<float> x(device, Tensor<float>::full({100}, 1));
      CHECK(device.counts().buffers == 1);
      E::exp(x).compute();
      device.finish().blockingAwait();  // the kernel is compiled first
    }
    // a thread that has compiled the kernel releases its command later
    CHECK(within(std::chrono::seconds(10), [&] { return device.counts().buffers == 0; }));
    CHECK(device.counts().bytes == 0);
    CHECK(device.counts().recycledBytes > 0);
    const std::size_t used = log->memoryUsed;
    for (int i = 0; i < 1000; ++i) {
      const DeviceTensor<float> x(device, Tensor<float>::full({100}, 1));
      E::exp(x).compute();
    }
    CHECK(log->memoryUsed == used);
    device.finish().blockingAwait();
    device.trim();
    CHECK(log->memory.empty());
    CHECK(device.counts().recycledBytes == 0);
  }
  REQUIRE(within(std::chrono::seconds(10), [&] { return log.use_count() == 1; }));
  CHECK(log->commands.back() == "closed");
}

TEST_CASE("a buffer beyond the limit fails, names both, and loses nothing") {
  auto log = std::make_shared<FakeDeviceLog>();
  const Device device("fake", std::make_unique<FakeDevice>(log), {.memoryLimit = 10000});
  const DeviceTensor<float> x(device, Tensor<float>::full({1500}, 2));
  const DeviceTensor<float> y = E::exp(x);
  CHECK_THROWS_AS(y.compute(), DeviceMemoryError);
  CHECK(errorOf([&] { return y.compute(); }).find("the limit is 10000") != std::string::npos);
  CHECK_THROWS_AS(hostOf(y), DeviceMemoryError);
  CHECK(hostOf(x)(7) == 2);
  CHECK(device.counts().buffers == 1);
}

TEST_CASE("a buffer takes the room that the limit leaves, if its size class is larger") {
  auto log = std::make_shared<FakeDeviceLog>();
  const Device device("fake", std::make_unique<FakeDevice>(log), {.memoryLimit = 10000});
  const DeviceTensor<float> x(device, Tensor<float>::full({1250}, 2)),  // 5120 bytes, its size class
      y(device, Tensor<float>::full({1220}, 3));  // its 4880 bytes are exactly what is left
  CHECK(hostOf(y)(7) == 3);
  CHECK(device.counts().bytes == 10000);
  CHECK(log->memoryUsed == 10000);
}

TEST_CASE("a buffer larger than the device's largest fails") {
  auto log = std::make_shared<FakeDeviceLog>();
  log->largestBuffer = 1000;
  const Device device("fake", std::make_unique<FakeDevice>(log));
  CHECK(errorOf([&] {
          return DeviceTensor<float>(device, Tensor<float>::full({300}, 1));
        }).find("the largest that the device has is 1000") != std::string::npos);
}

TEST_CASE("recycled buffers are freed for a buffer of another size") {
  auto log = std::make_shared<FakeDeviceLog>();
  log->memoryLimit = 10000;
  const Device device("fake", std::make_unique<FakeDevice>(log), {.memoryLimit = 100000});
  { const DeviceTensor<float> x(device, Tensor<float>::full({1500}, 2)); }
  const DeviceTensor<float> y(device, Tensor<float>::full({2000}, 2));  // the driver has room for one of them
  CHECK(device.counts().recycledBytes == 0);
}

TEST_CASE("a kernel that does not compile fails what needs it, once, with its source") {
  auto log = std::make_shared<FakeDeviceLog>();
  log->compiles = false;
  const Device device("fake", std::make_unique<FakeDevice>(log));
  const DeviceTensor<float> x(device, Tensor<float>::full({10}, 1));
  const DeviceTensor<float> y = E::exp(x), z = kernels::matmul(E::exp(y), x);
  for (const auto& failed : {y, z}) {
    try {
      hostOf(failed);
      CHECK(false);
    } catch (const DeviceError& error) {
      CHECK(std::string(error.what()).find("each_exp") != std::string::npos);
      CHECK(error.kernelSource().find("KERNEL void each_exp") != std::string::npos);
    }
  }
  CHECK(hostOf(x)(3) == 1);
  CHECK(std::count(log->commands.begin(), log->commands.end(), "multiply 1x10x1 NN") == 0);
}

TEST_CASE("a device that is lost fails what waits for it") {
  auto log = std::make_shared<FakeDeviceLog>();
  const Device device("fake", std::make_unique<FakeDevice>(log));
  const DeviceTensor<float> x(device, Tensor<float>::full({10}, 1));
  log->isLost = true;
  CHECK(errorOf([&] { return hostOf(x); }).find("the device is lost") != std::string::npos);
  CHECK_THROWS_AS(device.finish().blockingAwait(), DeviceError);
}

TEST_CASE("commands that come while a kernel is compiled keep their order") {
  auto log = std::make_shared<FakeDeviceLog>();
  const Device device("fake", std::make_unique<FakeDevice>(log));
  const DeviceTensor<float> x(device, Tensor<float>::full({10}, 1));
  const DeviceTensor<float> y = E::exp(x);
  y.compute();
  const DeviceTensor<float> z = kernels::matmul(y, x);
  static_cast<void>(hostOf(z));
  const auto at = [&](const std::string& command) {
    return std::find(log->commands.begin(), log->commands.end(), command);
  };
  CHECK(at("write 40") < at("launch each_exp 3 1x256"));
  CHECK(at("launch each_exp 3 1x256") < at("multiply 1x10x1 NN"));
  CHECK(at("multiply 1x10x1 NN") < at("read 4"));
  CHECK(at("read 4") != log->commands.end());
}

TEST_CASE("double is refused by a device without it") {
  const Device device("fake", std::make_unique<FakeDevice>(std::make_shared<FakeDeviceLog>()));
  CHECK(errorOf([&] { return DeviceTensor<double>(device, Tensor<double>::scalar(1)); }).find("no double") !=
        std::string::npos);
}
