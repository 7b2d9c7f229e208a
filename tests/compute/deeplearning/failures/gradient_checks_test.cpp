// Clipping and checks of the gradients of weights of a device.
#include <doctest/doctest.h>

#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <tapestry/compute/kernels/device_kernels.hpp>
#include <tapestry/deeplearning.hpp>

#include "support/devices/any_device.hpp"
#include "support/devices/fake_device.hpp"
#include "support/error_text.hpp"
#include "tensor/kernels/support.hpp"

using namespace tapestry;
using namespace tapestry::test;

namespace {

using CheckedHost = Tensor<float>;
using CheckedDevice = DeviceTensor<float>;

CheckedDevice checkedOn(const CheckedHost& x, const Device& device = testDevice()) { return {device, x}; }

const CheckedHost checkedA({2, 3}, {1, 2, -1, 3, 0.5F, -2}), checkedB({3}, {2, -1, 1});

/// The values of two weights after two clipped steps.
template <class X>
std::vector<X> clippedSteps(const Weight<X>& a, const Weight<X>& b, double limit) {
  for (int i = 0; i < 2; ++i) train(sum(a * a * b), clipByGlobalNorm(limit)).blockingAwait();
  return {a.data(), b.data()};
}

constexpr float checkedInfinity = std::numeric_limits<float>::infinity();

}  // namespace

TEST_CASE("gradients of a device are clipped together as on the host") {
  for (const double limit : {0.5, 1e3}) {
    const auto expected =
        clippedSteps(Weight<CheckedHost>(checkedA, sgd(0.1)), Weight<CheckedHost>(checkedB, sgd(0.1)), limit);
    const auto got = clippedSteps(Weight<CheckedDevice>(checkedOn(checkedA), sgd(0.1)),
                                  Weight<CheckedDevice>(checkedOn(checkedB), sgd(0.1)), limit);
    for (std::size_t i = 0; i < 2; ++i) CHECK(isClose(hostOf(got[i]), expected[i], 1e-5));
  }
}

TEST_CASE("micro-batches of a device are clipped together as on the host") {
  const auto stepped = [](const auto& w, const auto& place) {
    const std::vector<float> factors{1, -2, 5};
    const auto lossOf = [&](float factor) { return sum(w * w * place(CheckedHost({3}, {factor, 1, 2}))); };
    trainMicroBatches(factors, 2, lossOf, clipByGlobalNorm(0.5)).blockingAwait();
    return w.data();
  };
  const auto expected = stepped(Weight<CheckedHost>(checkedB, sgd(0.1)), [](const auto& x) { return x; });
  const auto got = stepped(Weight<CheckedDevice>(checkedOn(checkedB), sgd(0.1)),
                           [](const auto& x) { return checkedOn(x); });
  CHECK(isClose(hostOf(got), expected, 1e-5));
}

TEST_CASE("clipping fetches one number for each weight") {
  const Weight<CheckedDevice> a(checkedOn(checkedA)), b(checkedOn(checkedB));
  const auto before = testDevice().counts().downloads;
  clippedSteps(a, b, 1);
  CHECK(testDevice().counts().downloads == before + 2 * 2);
}

TEST_CASE("a norm that is not finite fails the clipped step, and changes no weight of a device") {
  const Weight<CheckedDevice> a(checkedOn(checkedA), adam({})), b(checkedOn(checkedB), adam({}));
  const auto loss = sum(a) + sum(b * checkedOn(CheckedHost({3}, {1, checkedInfinity, 1})));
  CHECK_THROWS_AS(train(loss, clipByGlobalNorm(1)).blockingAwait(), std::range_error);
  CHECK(hostOf(a.data()) == checkedA);
  CHECK(hostOf(b.data()) == checkedB);
}

TEST_CASE("checkFinite fails a step whose gradient is not finite, and changes no weight of a device") {
  const Weight<CheckedDevice> a(checkedOn(checkedA), adam({})),
      b(checkedOn(CheckedHost({2}, {4, 0})), adam({}));
  // the derivative of the root is infinite at 0
  const auto loss = sum(a) + sum(sqrt(b));
  CHECK(errorOf([&] { checkFinite(train(loss)).blockingAwait(); }) ==
        "tapestry::train: the gradient of a weight is not finite, got inf at [1], expected finite numbers");
  CHECK(hostOf(a.data()) == checkedA);
  CHECK(hostOf(b.data()) == CheckedHost({2}, {4, 0}));
}

TEST_CASE("checkFinite fails a step whose loss is not finite, and changes no weight of a device") {
  const Weight<CheckedDevice> a(checkedOn(checkedA));
  const auto loss = sum(a) + checkedOn(CheckedHost::scalar(-checkedInfinity));
  CHECK(errorOf([&] { checkFinite(train(loss)).blockingAwait(); }) ==
        "tapestry::train: the loss is not finite, got -inf at [], expected finite numbers");
  CHECK(hostOf(a.data()) == checkedA);
}

TEST_CASE("checkFinite fetches one number for the loss and each weight, and takes the same step") {
  const Weight<CheckedDevice> a(checkedOn(checkedA)), b(checkedOn(checkedB));
  const Weight<CheckedDevice> c(checkedOn(checkedA)), d(checkedOn(checkedB));
  train(sum(a * a * b)).blockingAwait();
  const auto before = testDevice().counts().downloads;
  checkFinite(train(sum(c * c * d))).blockingAwait();
  CHECK(testDevice().counts().downloads == before + 3);
  CHECK(hostOf(c.data()) == hostOf(a.data()));
  CHECK(hostOf(d.data()) == hostOf(b.data()));
}

TEST_CASE("a device that is lost fails a clipped and a checked step, and changes no weight") {
  for (const bool clips : {true, false}) {
    const auto log = std::make_shared<FakeDeviceLog>();
    const Device device("fake", std::make_unique<FakeDevice>(log));
    const Weight<CheckedDevice> a(checkedOn(checkedA, device)), b(checkedOn(checkedB, device));
    const auto valueA = a.data().expression(), valueB = b.data().expression();
    log->isLost = true;
    const auto loss = sum(a * b);
    if (clips)
      CHECK_THROWS_AS(train(loss, clipByGlobalNorm(1)).blockingAwait(), DeviceError);
    else
      CHECK_THROWS_AS(checkFinite(train(loss)).blockingAwait(), DeviceError);
    CHECK(a.data().expression() == valueA);
    CHECK(b.data().expression() == valueB);
  }
}
