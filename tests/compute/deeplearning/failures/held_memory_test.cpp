// Steps and files of models of devices: what they hold, and that they change nothing if they fail.
#include <doctest/doctest.h>

#include <memory>

#include <tapestry/compute/device_error.hpp>
#include <tapestry/compute/kernels/device_kernels.hpp>
#include <tapestry/deeplearning.hpp>
#include <tapestry/storage.hpp>

#include "support/devices/any_device.hpp"
#include "support/devices/fake_device.hpp"
#include "support/sanitizers.hpp"
#include "support/system/temporary_directory.hpp"
#include "tensor/kernels/support.hpp"

using namespace tapestry;
using namespace tapestry::test;

namespace {

using HeldDevice = DeviceTensor<float>;
using HeldHost = Tensor<float>;

}  // namespace

TEST_CASE("device memory is flat over many steps, and a pass that has ended holds nothing") {
  test::Random random(16);
  const int steps = underAddressSanitizer ? 100 : 1000;
  const Device device = Device::open(testDeviceName());
  {
    const Weight<HeldDevice> w(HeldDevice(device, random.tensor<float>({6, 4})), adam({}));
    const HeldDevice x(device, random.tensor<float>({8, 6}));
    const auto step = [&] { hostOf(train(mean(tanh(matmul(x, w)))).blockingAwait()); };
    for (int i = 0; i < 5; ++i) step();
    const auto before = device.counts();
    for (int i = 0; i < steps; ++i) step();
    CHECK(device.counts().buffers == before.buffers);
    CHECK(device.counts().bytes == before.bytes);
    CHECK(device.counts().recycledBytes == before.recycledBytes);
    CHECK(before.buffers == 4);  // x, the weight, and Adam's two moments
  }
  CHECK(device.counts().buffers == 0);
}

TEST_CASE("a kernel that does not compile fails the step, and changes no weight") {
  auto log = std::make_shared<FakeDeviceLog>();
  const Device device("fake", std::make_unique<FakeDevice>(log));
  const Weight<HeldDevice> w(HeldDevice(device, HeldHost::full({3}, 2)), sgd(0.1));
  log->compiles = false;
  CHECK_THROWS_AS(train(sum(w * w)).blockingAwait(), DeviceError);
  CHECK(hostOf(w.data()) == HeldHost::full({3}, 2));
}

TEST_CASE("memory that runs out fails the step, and changes no weight") {
  const Device device("fake", std::make_unique<FakeDevice>(std::make_shared<FakeDeviceLog>()),
                      {.memoryLimit = 260});
  const Weight<HeldDevice> w(HeldDevice(device, HeldHost::full({3}, 2)), sgd(0.1));
  CHECK_THROWS_AS(train(sum(w * w)).blockingAwait(), DeviceMemoryError);
  CHECK(hostOf(w.data()) == HeldHost::full({3}, 2));
  CHECK(device.counts().buffers == 1);
}

TEST_CASE("memory that runs out fails load, and sets no weight of a device") {
  const TemporaryDirectory directory;
  const Device device("fake", std::make_unique<FakeDevice>(std::make_shared<FakeDeviceLog>()),
                      {.memoryLimit = 1900});
  const Weight<HeldDevice> a(HeldDevice(device, HeldHost::full({100}, 1))),
      b(HeldDevice(device, HeldHost::full({100}, 2)));
  const Weights weights{{"a", a}, {"b", b}};
  save(directory / "m", weights);
  CHECK_THROWS_AS(load(directory / "m", weights), DeviceMemoryError);  // there is memory for one of both
  CHECK(hostOf(a.data()) == HeldHost::full({100}, 1));
  CHECK(hostOf(b.data()) == HeldHost::full({100}, 2));
  CHECK(device.counts().buffers == 2);
}

TEST_CASE("a device that is lost fails save, which keeps the file from before") {
  const TemporaryDirectory directory;
  const auto log = std::make_shared<FakeDeviceLog>();
  const Device device("fake", std::make_unique<FakeDevice>(log));
  const Weights weights{{"a", Weight<HeldDevice>(HeldDevice(device, HeldHost::full({100}, 1)))}};
  save(directory / "m", weights);
  const auto written = directory.read("m");
  log->isLost = true;
  CHECK_THROWS_AS(save(directory / "m", weights), DeviceError);
  CHECK(directory.read("m") == written);
}
