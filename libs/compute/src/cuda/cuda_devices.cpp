#include <tapestry/compute/cuda/cuda_devices.hpp>

#include <utility>

#include <tapestry/compute/device_error.hpp>

#include "cuda/driver.hpp"

namespace tapestry {

namespace {

constexpr const char* cudaPrelude = R"(
typedef unsigned int uint;
typedef unsigned long long ulong;
#define KERNEL extern "C" __global__
#define FUNCTION static __device__ __forceinline__
#define GLOBAL
#define LOCAL __shared__
#define RESTRICT __restrict__
#define GLOBAL_ID (blockIdx.x * blockDim.x + threadIdx.x)
#define GROUP_ID blockIdx.x
#define LOCAL_ID threadIdx.x
#define BARRIER __syncthreads()
#define INFINITY __int_as_float(0x7f800000)
#define NAN __int_as_float(0x7fffffff)
#define LOAD4(pointer, i) reinterpret_cast<const float4*>(pointer)[i]
#define STORE4(pointer, i, a, b, c, d) reinterpret_cast<float4*>(pointer)[i] = make_float4(a, b, c, d)
)";

int attributeOf(const detail::CudaDriverApi& api, detail::CudaDevice device, int attribute) {
  int value = 0;
  api.deviceGetAttribute(&value, attribute, device);
  return value;
}

extend::DeviceProperties propertiesOf(const detail::CudaDriverApi& api, detail::CudaDevice device) {
  constexpr int multiprocessors = 16;
  extend::DeviceProperties properties;
  char name[256] = "";
  api.deviceGetName(name, sizeof name, device);
  int version = 0;
  api.driverGetVersion(&version);
  std::size_t memory = 0;
  api.deviceTotalMem(&memory, device);
  properties.name = name;
  properties.driver = "CUDA " + std::to_string(version / 1000) + '.' + std::to_string(version % 1000 / 10);
  properties.memory = properties.largestBuffer = memory;
  properties.hasDouble = true;
  properties.group = 256;
  properties.width = 4;
  properties.parallelism = static_cast<std::uint32_t>(attributeOf(api, device, multiprocessors)) * 2048;
  properties.parameterBytes = 4096;
  properties.prelude = cudaPrelude;
  return properties;
}

/// The driver, or null if there is none that has a device.
std::shared_ptr<const detail::CudaDriverApi> driverOf(const CudaLibraries& libraries, int& count) {
  count = 0;
  try {
    auto api = std::make_shared<const detail::CudaDriverApi>(libraries);
    if (api->init(0) != 0 || api->deviceGetCount(&count) != 0) count = 0;
    return api;
  } catch (const DeviceError&) {
    return nullptr;
  }
}

}  // namespace

std::vector<extend::DeviceProperties> cudaDevices(const CudaLibraries& libraries) {
  std::vector<extend::DeviceProperties> all;
  int count = 0;
  const auto api = driverOf(libraries, count);
  for (int index = 0; index < count; ++index) {
    detail::CudaDevice device = 0;
    if (api->deviceGet(&device, index) == 0) all.push_back(propertiesOf(*api, device));
  }
  return all;
}

std::unique_ptr<extend::DeviceDriver> openCuda(std::size_t index, const CudaLibraries& libraries) {
  int count = 0;
  auto api = driverOf(libraries, count);
  std::string name = "cuda:" + std::to_string(index);
  detail::CudaDevice device = 0;
  if (index >= static_cast<std::size_t>(count) || api->deviceGet(&device, static_cast<int>(index)) != 0)
    throw DeviceError("tapestry::" + name + ": there is no such device, expected one of " +
                      std::to_string(count));
  constexpr int major = 75, minor = 76;
  const std::string architecture = "sm_" + std::to_string(attributeOf(*api, device, major)) +
                                   std::to_string(attributeOf(*api, device, minor));
  auto properties = propertiesOf(*api, device);
  return std::make_unique<detail::CudaDriver>(std::move(name), std::move(api), device, std::move(properties),
                                              architecture, libraries);
}

}  // namespace tapestry
