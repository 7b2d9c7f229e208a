#include <tapestry/compute/opencl/open_cl_devices.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <utility>

#include <tapestry/compute/device_error.hpp>

#include "opencl/driver.hpp"

namespace tapestry {

namespace {

constexpr const char* openClPrelude = R"(
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#define KERNEL __kernel
#define FUNCTION static inline
#define GLOBAL __global
#define LOCAL __local
#define RESTRICT restrict
#define GLOBAL_ID ((uint)get_global_id(0))
#define GROUP_ID ((uint)get_group_id(0))
#define LOCAL_ID ((uint)get_local_id(0))
#define BARRIER barrier(CLK_LOCAL_MEM_FENCE)
#define LOAD4(pointer, i) vload4(i, pointer)
#define STORE4(pointer, i, a, b, c, d) vstore4((float4)(a, b, c, d), i, pointer)
)";

bool isGpu(const cl::Device& device) { return (device.getInfo<CL_DEVICE_TYPE>() & CL_DEVICE_TYPE_GPU) != 0; }

std::string trimmed(std::string text) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '\0')) text.pop_back();
  return text;
}

extend::DeviceProperties propertiesOf(const cl::Device& device) {
  extend::DeviceProperties properties;
  const cl::Platform platform(device.getInfo<CL_DEVICE_PLATFORM>());
  properties.name = trimmed(device.getInfo<CL_DEVICE_NAME>());
  properties.driver =
      trimmed(platform.getInfo<CL_PLATFORM_NAME>()) + ", " + trimmed(device.getInfo<CL_DEVICE_VERSION>());
  properties.memory = device.getInfo<CL_DEVICE_GLOBAL_MEM_SIZE>();
  properties.largestBuffer = device.getInfo<CL_DEVICE_MAX_MEM_ALLOC_SIZE>();
  properties.hasDouble = device.getInfo<CL_DEVICE_DOUBLE_FP_CONFIG>() != 0;
  const auto units = device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>();
  properties.itemGroup = static_cast<std::uint32_t>(
      std::min<std::size_t>(std::bit_floor(device.getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>()), 256));
  properties.group = isGpu(device) ? properties.itemGroup : 1;
  properties.width = isGpu(device) ? 4 : 1;
  properties.parallelism = units * (isGpu(device) ? 2048 : 32);
  properties.parameterBytes = device.getInfo<CL_DEVICE_MAX_PARAMETER_SIZE>();
  properties.prelude = openClPrelude;
  return properties;
}

struct Listed {
  cl::Device device;
  extend::DeviceProperties properties;
};

/// The devices whose properties can be read. A device that refuses a query, such as a device of OpenCL 1.1,
/// is left out and does not affect the other devices.
void add(std::vector<Listed>& all, const std::vector<cl::Device>& devices) {
  for (const cl::Device& device : devices) {
    try {
      all.push_back({device, propertiesOf(device)});
    } catch (const cl::Error&) {
      continue;
    }
  }
}

std::vector<Listed> listed() {
  std::vector<Listed> all;
  std::vector<cl::Platform> platforms;
  try {
    cl::Platform::get(&platforms);
  } catch (const cl::Error&) {
    return all;  // no platform is installed
  }
  for (const cl::Platform& platform : platforms) {
    std::vector<cl::Device> devices;
    try {
      platform.getDevices(CL_DEVICE_TYPE_ALL, &devices);
    } catch (const cl::Error&) {
      continue;  // a platform without a device
    }
    add(all, devices);
  }
  std::stable_partition(all.begin(), all.end(), [](const Listed& each) { return isGpu(each.device); });
  return all;
}

}  // namespace

std::vector<extend::DeviceProperties> openClDevices() {
  std::vector<extend::DeviceProperties> properties;
  for (Listed& each : listed()) properties.push_back(std::move(each.properties));
  return properties;
}

std::unique_ptr<extend::DeviceDriver> openOpenCl(std::size_t index) {
  std::vector<Listed> devices = listed();
  std::string name = "opencl:" + std::to_string(index);
  if (index >= devices.size())
    throw DeviceError("tapestry::" + name + ": there is no such device, expected one of " +
                      std::to_string(devices.size()));
  Listed& chosen = devices[index];
  return detail::makeOpenClDriver(std::move(name), chosen.device, std::move(chosen.properties));
}

}  // namespace tapestry
