// Defines cudaDevices and openCuda, the back end of CUDA's driver interface, NVRTC and cuBLAS.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <tapestry/compute/extend/device_driver.hpp>

#pragma GCC visibility push(default)
namespace tapestry {

/// The shared libraries that are loaded when a device is listed or opened; nothing of CUDA is needed to
/// build. Of an empty list of names, the usual ones are tried.
struct CudaLibraries {
  std::vector<std::string> driver;  ///< libcuda.so.1
  std::vector<std::string> nvrtc;   ///< libnvrtc.so.13, .12, .11.2, or libnvrtc.so
  std::vector<std::string> cublas;  ///< libcublas.so.13, .12, .11, or libcublas.so
};

/// None if there is no driver.
std::vector<extend::DeviceProperties> cudaDevices(const CudaLibraries& libraries = {});

/// Opens a device by its index in cudaDevices. Throws DeviceError, also where NVRTC or cuBLAS is missing.
/// What has run on a GPU, and what has not yet, is in docs/decisions/devices.md.
std::unique_ptr<extend::DeviceDriver> openCuda(std::size_t index, const CudaLibraries& libraries = {});

}  // namespace tapestry
#pragma GCC visibility pop
