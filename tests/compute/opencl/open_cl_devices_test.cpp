#include <tapestry/compute/opencl/open_cl_devices.hpp>

#include <doctest/doctest.h>

#include <future>
#include <numeric>
#include <vector>

#include <tapestry/compute/device_error.hpp>

using namespace tapestry;

TEST_CASE("a driver of OpenCL compiles, launches and copies in order") {
  REQUIRE(!openClDevices().empty());
  const auto driver = openOpenCl(0);
  constexpr int count = 1000;
  std::vector<float> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0.0F);
  const extend::DeviceMemory from = driver->allocate(count * sizeof(float)),
                             to = driver->allocate(count * sizeof(float));
  driver->write(from, numbers.data(), count * sizeof(float), nullptr);
  const extend::DeviceKernel twice =
      driver->compile("twice",
                      "KERNEL void twice(GLOBAL const float* a, GLOBAL float* b, const int n) {\n"
                      "  const uint i = GLOBAL_ID;\n  if (i < (uint)n) b[i] = 2 * a[i];\n}\n");
  const extend::KernelArgument arguments[] = {from, to, std::int32_t{count}};
  driver->launch(twice, arguments, 4, 256);
  std::vector<float> results(count);
  std::promise<std::exception_ptr> done;
  driver->read(results.data(), to, count * sizeof(float), nullptr,
               [&](std::exception_ptr error) { done.set_value(std::move(error)); });
  CHECK(done.get_future().get() == nullptr);
  for (int i = 0; i < count; ++i) REQUIRE(results[static_cast<std::size_t>(i)] == 2 * static_cast<float>(i));
  driver->release(from);
  driver->release(to);
}

TEST_CASE("a source that does not compile is an error with the compiler's words and the source") {
  const auto driver = openOpenCl(0);
  try {
    driver->compile("wrong", "KERNEL void wrong() { nonsense }");
    CHECK(false);
  } catch (const DeviceError& error) {
    CHECK(std::string(error.what()).find("nonsense") != std::string::npos);
    CHECK(error.kernelSource() == "KERNEL void wrong() { nonsense }");
  }
}

TEST_CASE("a device that is not there is refused") { CHECK_THROWS_AS(openOpenCl(1000), DeviceError); }
