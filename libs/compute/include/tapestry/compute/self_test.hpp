// Defines selfTest, which compares the kernels of a device with those of the host, and measureDevice.
#pragma once

#include <string>
#include <vector>

#include <tapestry/compute/device.hpp>

#pragma GCC visibility push(default)
namespace tapestry {

/// What one kernel, or one family of kernels, has given.
struct SelfTestResult {
  std::string name;
  double error = 0;  ///< the largest, relative to the larger of 1 and the host's value
  double tolerance = 0;
  std::string problem;  ///< the message of an error, if the kernel failed

  bool passed() const noexcept { return problem.empty() && error <= tolerance; }
};

/// Computes each kernel on the device and on the host, in float and, where the device has it, in double, for
/// ordinary numbers, zeros, infinities and NaN. Blocks the calling thread.
std::vector<SelfTestResult> selfTest(const Device& device);

struct DeviceSpeed {
  double productGflops = 0;  ///< of a product of two n by n matrices of float
  double chainGbytes = 0;    ///< read and written per second by eight elementwise operations as one kernel
  double copyGbytes = 0;     ///< by a kernel that copies
  double launchMicroseconds = 0;  ///< of the host, for one enqueued operation
};

/// Measures products of n by n matrices, and chains of `elements` floats; medians of a few runs. Blocks the
/// calling thread.
DeviceSpeed measureDevice(const Device& device, std::size_t n, std::size_t elements);

}  // namespace tapestry
#pragma GCC visibility pop
