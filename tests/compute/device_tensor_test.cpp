#include <tapestry/compute/device_tensor.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <future>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include <tapestry/compute/kernels/device_elementwise.hpp>
#include <tapestry/compute/kernels/device_product.hpp>
#include <tapestry/compute/kernels/device_reduction.hpp>
#include <tapestry/continuation/asio/thread_pool.hpp>
#include <tapestry/continuation/blocking.hpp>
#include <tapestry/continuation/stop.hpp>
#include <tapestry/tensor/kernels/arithmetic.hpp>
#include <tapestry/tensor/kernels/elementwise.hpp>
#include <tapestry/tensor/shape_error.hpp>
#include <tapestry/tensor/split_mix.hpp>

#include "support/devices/any_device.hpp"
#include "support/devices/fake_device.hpp"
#include "support/error_text.hpp"
#include "tensor/kernels/support.hpp"

using namespace tapestry;
using namespace tapestry::test;
using E = DeviceElementwise;

namespace {

/// A value of the host and one of the same expression on two devices, of which one computes each operation
/// with a kernel of its own.
struct Triple {
  Tensor<float> host;
  DeviceTensor<float> fused, single;
};

const Device& singleDevice() {
  static const Device device = Device::open(testDeviceName(), {.fuse = false});
  return device;
}

Triple stored(const Tensor<float>& x) {
  return {x, DeviceTensor<float>(testDevice(), x), DeviceTensor<float>(singleDevice(), x)};
}

Triple combined(test::Random& random, const Triple& a, const Triple& b) {
  switch (random.below(8)) {
    case 0:
      return {kernels::add(a.host, b.host), E::add(a.fused, b.fused), E::add(a.single, b.single)};
    case 1:
      return {kernels::subtract(a.host, b.host), E::subtract(a.fused, b.fused),
              E::subtract(a.single, b.single)};
    case 2:
      return {kernels::maximum(a.host, b.host), E::maximum(a.fused, b.fused), E::maximum(a.single, b.single)};
    case 3: {
      const Tensor<float> host = kernels::tanh(kernels::multiply(a.host, b.host));
      return {host, E::tanh(E::multiply(a.fused, b.fused)), E::tanh(E::multiply(a.single, b.single))};
    }
    case 4:
      return {kernels::sin(a.host), E::sin(a.fused), E::sin(a.single)};
    case 5:
      return {kernels::sigmoid(b.host), E::sigmoid(b.fused), E::sigmoid(b.single)};
    case 6:
      return {kernels::multiply(a.host, 0.5F), E::multiply(a.fused, 0.5F), E::multiply(a.single, 0.5F)};
    default:
      return {kernels::relu(b.host), E::relu(b.fused), E::relu(b.single)};
  }
}

}  // namespace

TEST_CASE("random expressions of 1 to 40 nodes are equal, fused, one by one and on the host") {
  test::Random random(3);
  for (int round = 0; round < 25; ++round) {
    CAPTURE(round);
    const Shape shape = random.shape();
    std::vector<Triple> nodes;
    for (int i = 0; i < 3; ++i) nodes.push_back(stored(random.tensor<float>(random.stretching(shape))));
    const std::size_t count = 1 + random.below(40);
    for (std::size_t i = 0; i < count; ++i)
      nodes.push_back(
          combined(random, nodes[random.below(nodes.size())], nodes[nodes.size() - 1 - random.below(3)]));
    // some values are asked for, others are dropped before
    while (nodes.size() > 6)
      nodes.erase(nodes.begin() + 3 + static_cast<std::ptrdiff_t>(random.below(nodes.size() - 4)));
    for (const Triple& node : nodes) {
      REQUIRE(isClose(hostOf(node.fused), node.host, 1e-5));
      REQUIRE(isClose(hostOf(node.single), node.host, 1e-5));
    }
  }
}

TEST_CASE("a chain of 20 operations is one kernel") {
  const Device& device = testDevice();
  const DeviceTensor<float> x(device, Tensor<float>::full({100}, 0.5F));
  const auto before = device.counts();
  DeviceTensor<float> y = x;
  for (int i = 0; i < 10; ++i) y = E::tanh(E::multiply(std::move(y), 1.5F));
  const Tensor<float> host = hostOf(y);
  CHECK(device.counts().kernels == before.kernels + 1);
  float expected = 0.5F;
  for (int i = 0; i < 10; ++i) expected = std::tanh(expected * 1.5F);
  CHECK(host(7) == doctest::Approx(expected).epsilon(1e-5));
}

TEST_CASE("tanh(x * w + b) is one kernel beside its product") {
  const Device& device = testDevice();
  test::Random random(4);
  const DeviceTensor<float> x(device, random.tensor<float>({8, 5})), w(device, random.tensor<float>({5, 6}));
  const DeviceTensor<float> b(device, random.tensor<float>({6}));
  const auto before = device.counts();
  E::tanh(DeviceProduct::affine(x, w, b, "affine")).compute();
  const auto after = device.counts();
  CHECK(after.kernels == before.kernels + 1);
  CHECK(after.products == before.products + 1);
}

TEST_CASE("a value with several consumers is computed once") {
  const Device& device = testDevice();
  const DeviceTensor<float> x(device, Tensor<float>::full({3, 4}, 1));
  const DeviceTensor<float> y = E::exp(x);
  const auto before = device.counts();
  // the kernel of the first consumer also stores y, so that the second one is stored without the exponential
  const DeviceTensor<float> first = E::add(y, 1.0F);
  first.compute();
  CHECK(device.counts().kernels == before.kernels + 1);
  y.compute();
  CHECK(device.counts().kernels == before.kernels + 1);
  CHECK(hostOf(E::multiply(y, 2.0F))(0, 0) == doctest::Approx(2 * std::exp(1.0F)));
  CHECK(device.counts().kernels == before.kernels + 2);
  // no other handle has a temporary
  const DeviceTensor<float> last = E::add(E::exp(E::negate(x)), 1.0F);
  const std::uint64_t buffers = device.counts().buffers;
  last.compute();
  CHECK(device.counts().buffers == buffers + 1);
}

TEST_CASE(
    "a kernel that computes a value's first rows stores all of it if another handle has it, and else none") {
  const Device& device = testDevice();
  test::Random random(6);
  const Tensor<float> a = random.tensor<float>({10, 10}), x = kernels::add(a, 0.5F);
  { const DeviceTensor<float> unwritten(device, Tensor<float>::full({10, 10}, 7)); }  // a recycled buffer
  for (const bool isReduced : {false, true}) {
    CAPTURE(isReduced);
    const DeviceTensor<float> held = E::add(DeviceTensor<float>(device, a), 0.5F);
    DeviceTensor<float> first = E::multiply(held, 2.0F).slice({Slice{.start = 0, .stop = 2}});
    if (isReduced) first = DeviceReduction::sum(std::move(first), {0});
    first.compute();  // no other handle has the values between
    CHECK(hostOf(held) == x);
    CHECK(hostOf(first).data()[3] == doctest::Approx(2 * (isReduced ? x(0, 3) + x(1, 3) : x(0, 3))));
  }
}

TEST_CASE("kernels are compiled once for a structure, for any shapes") {
  const Device& device = testDevice();
  const auto cube = [&](const Shape& shape) {
    const DeviceTensor<float> x(device, Tensor<float>::full(shape, 2));
    return hostOf(E::multiply(E::multiply(x, x), E::log1p(x)));
  };
  cube({3, 5});
  cube({8});  // a device may have another kernel for a multiple of 4
  const auto before = device.counts();
  cube({7});
  cube({2, 2, 2});
  CHECK(device.counts().compiled == before.compiled);
  CHECK(device.counts().kernels == before.kernels + 2);
}

TEST_CASE("constants are part of the kernels that use them, and belong to no device") {
  CHECK(hostOf(DeviceTensor<float>::full({2, 3}, 4)) == Tensor<float>::full({2, 3}, 4));
  CHECK(hostOf(DeviceTensor<double>()).item() == 0);
  CHECK(!DeviceTensor<float>::scalar(1).device());
  const auto folded = E::tanh(E::divide(DeviceTensor<double>::full({2}, 1), 4.0));
  CHECK(!folded.device());
  CHECK(hostOf(folded) == Tensor<double>::full({2}, std::tanh(0.25)));
  const auto rounded = E::subtract(E::add(DeviceTensor<float>::full({2}, 1e8F), 1.0F), 1e8F);
  CHECK(hostOf(rounded) == Tensor<float>::zeros({2}));  // 1e8 + 1 is 1e8 in float, as on the host
  const Device& device = testDevice();
  const DeviceTensor<float> x(device, Tensor<float>::full({4}, 3));
  const auto before = device.counts();
  const DeviceTensor<float> one = E::multiply(x, 2.0F), other = E::multiply(x, 5.0F);
  CHECK(hostOf(one)(0) == 6);
  CHECK(hostOf(other)(0) == 15);
  CHECK(device.counts().uploads == before.uploads);
  CHECK(device.counts().compiled <= before.compiled + 1);
}

TEST_CASE_TEMPLATE("views are those of the host", T, float, double) {
  const Device& device = testDevice();
  test::Random random(5);
  const Tensor<T> x = random.tensor<T>({3, 4, 5});
  const DeviceTensor<T> own(device, x);
  const Tensor<T> permuted = hostOf(own.permute({2, 0, 1}));
  const Tensor<T> sliced = hostOf(own.slice({Slice{}, Slice{.start = 3, .stop = 0, .step = -2}}));
  const Tensor<T> repeated = hostOf(DeviceTensor<T>(device, x.reshape({3, 1, 20})).broadcastTo({3, 2, 20}));
  REQUIRE(permuted.shape() == Shape{5, 3, 4});
  REQUIRE(sliced.shape() == Shape{3, 2, 5});
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 5; ++k) {
      for (std::size_t j = 0; j < 4; ++j) CHECK(permuted(k, i, j) == x(i, j, k));
      CHECK(sliced(i, 0, k) == x(i, 3, k));
      CHECK(sliced(i, 1, k) == x(i, 1, k));
    }
    for (std::size_t k = 0; k < 20; ++k) CHECK(repeated(i, 1, k) == x.data()[i * 20 + k]);
  }
  CHECK(hostOf(own.permute({1, 2, 0}).reshape({60})).data()[4] == x(1, 0, 1));
  CHECK(hostOf(own.reshape({6, 10})) == x.reshape({6, 10}));
}

TEST_CASE("a reshape shares the buffer, and takes no kernel") {
  const Device& device = testDevice();
  const DeviceTensor<float> x(device, Tensor<float>::full({3, 4}, 1));
  const auto before = device.counts();
  CHECK(hostOf(x.reshape({12})).shape() == Shape{12});
  CHECK(device.counts().kernels == before.kernels);
  CHECK(device.counts().buffers == before.buffers);
}

TEST_CASE("random numbers are splitMix of the seed and the index") {
  const Device& device = testDevice();
  const Tensor<float> x = hostOf(DeviceTensor<float>::random(device, {5, 20}, 42));
  for (std::size_t i = 0; i < x.size(); ++i)
    CHECK(x.data()[i] == static_cast<float>(splitMix(42, i) >> 40) / 16777216);
  CHECK(hostOf(DeviceTensor<float>::random(device, {5, 20}, 42)) == x);
}

TEST_CASE("errors name the operation and the shapes") {
  const Device& device = testDevice();
  const DeviceTensor<float> x(device, Tensor<float>::full({3, 4}, 1)), y(device, Tensor<float>::full({5}, 1));
  CHECK(errorOf([&] { return E::add(x, y); }).find("add") != std::string::npos);
  CHECK_THROWS_AS(E::add(x, y), ShapeError);
  CHECK_THROWS_AS(static_cast<void>(x.reshape({5})), ShapeError);
  CHECK_THROWS_AS(static_cast<void>(x.broadcastTo({4, 3})), ShapeError);
  CHECK_THROWS_AS(static_cast<void>(x.permute({0, 0})), ShapeError);
  const DeviceTensor<float> elsewhere(singleDevice(), Tensor<float>::full({3, 4}, 1));
  CHECK(errorOf([&] { return E::add(x, elsewhere); }).find("expected one device") != std::string::npos);
}

TEST_CASE("values without elements need no kernel") {
  const Device& device = testDevice();
  const DeviceTensor<float> x(device, Tensor<float>::full({3, 0}, 1));
  CHECK(hostOf(E::exp(x)).shape() == Shape{3, 0});
  CHECK(hostOf(DeviceReduction::sum(x, {1})) == Tensor<float>::zeros({3}));
}

TEST_CASE("the run continues on its executor when the values have been copied") {
  ThreadPool pool(2);
  const DeviceTensor<float> x(testDevice(), Tensor<float>::full({1000}, 1));
  const auto onPool =
      E::exp(x).toHost().map([&](const Tensor<float>& host) { return pool.isHere() ? host(3) : -1.0F; });
  std::promise<float> result;
  onPool.onComplete([&](Outcome<float> outcome) { result.set_value(std::move(outcome).valueOrThrow()); },
                    pool);
  CHECK(result.get_future().get() == doctest::Approx(std::exp(1.0F)));
}

TEST_CASE("a function for a blocking thread may wait for a kernel that is still to be compiled") {
  const Device device = Device::open(testDeviceName());  // has compiled nothing yet
  const DeviceTensor<float> x(device, Tensor<float>::full({8}, 1));
  auto value = std::make_shared<std::promise<float>>();
  blocking([=] { return hostOf(E::exp(x))(3); }).onComplete([=](Outcome<float> outcome) {
    value->set_value(std::move(outcome).valueOrThrow());
  });
  auto waited = value->get_future();
  REQUIRE(waited.wait_for(std::chrono::minutes(2)) == std::future_status::ready);
  CHECK(waited.get() == doctest::Approx(std::exp(1.0F)));
}

TEST_CASE("a request to stop ends the wait for the device, and for a compiler") {
  auto log = std::make_shared<FakeDeviceLog>();
  const Device device("fake", std::make_unique<FakeDevice>(log));
  const DeviceTensor<float> x(device, Tensor<float>::full({4}, 1));
  std::promise<void> compiled;
  log->compiling = [wait = compiled.get_future().share()] { wait.wait(); };
  const DeviceTensor<float> y = E::exp(x);
  const auto isCancelled = [](const auto& program) {
    StopSource source;
    std::thread stopping([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      source.requestStop();
    });
    bool cancelled = false;
    try {
      program.blockingAwait(source.token());
    } catch (const Cancelled&) {
      cancelled = true;
    }
    stopping.join();
    return cancelled;
  };
  CHECK(isCancelled(y.toHost()));
  CHECK(isCancelled(y.issued()));
  CHECK(isCancelled(device.finish()));
  compiled.set_value();
  CHECK(hostOf(y).shape() == Shape{4});
  log->holdsReads = true;
  CHECK(isCancelled(x.toHost()));  // of a copy that is under way
  log->release();
  CHECK(hostOf(x)(0) == 1);
}
