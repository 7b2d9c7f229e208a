// Defines firstDevice, the device of OpenCL that both sides of a comparison use.
#pragma once

#include <algorithm>
#include <vector>

#define CL_HPP_ENABLE_EXCEPTIONS
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#define CL_HPP_TARGET_OPENCL_VERSION 120
#include <CL/opencl.hpp>

namespace tapestry::benchmarks::hand {

/// The device that is opencl:0 here: GPUs come first.
inline cl::Device firstDevice() {
  std::vector<cl::Platform> platforms;
  cl::Platform::get(&platforms);
  std::vector<cl::Device> devices;
  for (const cl::Platform& platform : platforms) {
    std::vector<cl::Device> own;
    try {
      platform.getDevices(CL_DEVICE_TYPE_ALL, &own);
    } catch (const cl::Error&) {
      continue;  // a platform without a device
    }
    devices.insert(devices.end(), own.begin(), own.end());
  }
  const auto isGpu = [](const cl::Device& device) {
    return (device.getInfo<CL_DEVICE_TYPE>() & CL_DEVICE_TYPE_GPU) != 0;
  };
  const auto gpu = std::find_if(devices.begin(), devices.end(), isGpu);
  return gpu != devices.end() ? *gpu : devices.at(0);
}

}  // namespace tapestry::benchmarks::hand
