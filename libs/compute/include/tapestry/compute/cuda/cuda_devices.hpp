// Defines cudaDevices and openCuda, the back end of CUDA's driver interface, NVRTC and cuBLAS.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <tapestry/compute/extend/device_driver.hpp>

#pragma GCC visibility push(default)
namespace tapestry {

/// The names of the shared libraries that are loaded when devices are listed or opened; the build needs no
/// part of CUDA. If a list is empty, the usual names are tried.
struct CudaLibraries {
  std::vector<std::string> driver;  ///< libcuda.so.1
  std::vector<std::string> nvrtc;   ///< libnvrtc.so.13, .12, .11.2, or libnvrtc.so
  std::vector<std::string> cublas;  ///< libcublas.so.13, .12, .11, or libcublas.so
};

/// None if there is no driver.
std::vector<extend::DeviceProperties> cudaDevices(const CudaLibraries& libraries = {});

/// Opens a device by its index in cudaDevices. Throws DeviceError, also where NVRTC or cuBLAS is missing.
/// docs/decisions/devices.md has the results of the tests on a GPU.
std::unique_ptr<extend::DeviceDriver> openCuda(std::size_t index, const CudaLibraries& libraries = {});

}  // namespace tapestry
#pragma GCC visibility pop
