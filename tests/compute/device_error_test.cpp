#include <tapestry/compute/device_error.hpp>

#include <doctest/doctest.h>

using namespace tapestry;

TEST_CASE("a device's error has the source of the kernel that it is about") {
  CHECK(DeviceError("a problem", "KERNEL void f() {}").kernelSource() == "KERNEL void f() {}");
  CHECK(DeviceError("a problem").kernelSource().empty());
  const DeviceMemoryError error("no memory");
  CHECK(std::string(static_cast<const DeviceError&>(error).what()) == "no memory");
}
