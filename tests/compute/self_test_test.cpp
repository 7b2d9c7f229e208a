#include <tapestry/compute/self_test.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "support/devices/any_device.hpp"
#include "support/devices/fake_device.hpp"

using namespace tapestry;
using namespace tapestry::test;

TEST_CASE("all kernels of a device are those of the host") {
  const auto results = selfTest(testDevice());
  CHECK(results.size() > 230);
  for (const std::string name : {"permute", "scatter", "convolve", "maxPoolDerivative", "formula",
                                 "adamStep, weight", "mean of 1000003"}) {
    const auto is = [&](const SelfTestResult& result) { return result.name == name + " of float"; };
    CHECK(std::any_of(results.begin(), results.end(), is));
  }
  for (const SelfTestResult& result : results) {
    CAPTURE(result.name);
    CAPTURE(result.error);
    CHECK(result.problem == "");
    CHECK(result.passed());
  }
}

TEST_CASE("the test fails for a device whose kernels compute nothing, and reports a failure to compile") {
  auto log = std::make_shared<FakeDeviceLog>();
  log->memoryLimit = std::size_t{1} << 26;
  const Device device("fake", std::make_unique<FakeDevice>(log));
  std::size_t failed = 0;
  for (const SelfTestResult& result : selfTest(device)) failed += result.passed() ? 0 : 1;
  CHECK(failed > 60);
  log->compiles = false;
  for (const SelfTestResult& result : selfTest(Device("fake", std::make_unique<FakeDevice>(log))))
    if (result.name == "exp of float") CHECK(result.problem.find("does not compile") != std::string::npos);
}

TEST_CASE("a device is measured") {
  const DeviceSpeed speed = measureDevice(testDevice(), 32, 4096);
  CHECK(speed.productGflops > 0);
  CHECK(speed.chainGbytes > 0);
  CHECK(speed.copyGbytes > 0);
  CHECK(speed.launchMicroseconds > 0);
}
