#include "cuda/library.hpp"

#include <dlfcn.h>

#include <tapestry/compute/device_error.hpp>

namespace tapestry::detail {

namespace {

std::vector<std::string> namesOr(const std::vector<std::string>& names, std::vector<std::string> usual) {
  return names.empty() ? std::move(usual) : names;
}

}  // namespace

SharedLibrary::SharedLibrary(const std::string& what, const std::vector<std::string>& names)
    : handle_(nullptr) {
  std::string tried;
  for (const std::string& name : names) {
    handle_ = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    name_ = name;
    if (handle_ != nullptr) return;
    tried += (tried.empty() ? "" : ", ") + name;
  }
  throw DeviceError("tapestry::cuda: no library for " + what + ", expected one of " + tried);
}

SharedLibrary::~SharedLibrary() { dlclose(handle_); }

void* SharedLibrary::address(const char* name) const {
  void* const found = dlsym(handle_, name);
  if (found == nullptr)
    throw DeviceError("tapestry::cuda: " + name_ + " has no function " + name + ", expected a later version");
  return found;
}

CudaDriverApi::CudaDriverApi(const CudaLibraries& libraries)
    : library("the driver", namesOr(libraries.driver, {"libcuda.so.1"})) {
  library.find(init, "cuInit");
  library.find(driverGetVersion, "cuDriverGetVersion");
  library.find(deviceGetCount, "cuDeviceGetCount");
  library.find(deviceGet, "cuDeviceGet");
  library.find(deviceGetName, "cuDeviceGetName");
  library.find(deviceTotalMem, "cuDeviceTotalMem_v2");
  library.find(deviceGetAttribute, "cuDeviceGetAttribute");
  library.find(primaryCtxRetain, "cuDevicePrimaryCtxRetain");
  library.find(primaryCtxRelease, "cuDevicePrimaryCtxRelease_v2");
  library.find(ctxPushCurrent, "cuCtxPushCurrent_v2");
  library.find(ctxPopCurrent, "cuCtxPopCurrent_v2");
  library.find(streamCreate, "cuStreamCreate");
  library.find(streamDestroy, "cuStreamDestroy_v2");
  library.find(streamSynchronize, "cuStreamSynchronize");
  library.find(streamAddCallback, "cuStreamAddCallback");
  library.find(memAllocAsync, "cuMemAllocAsync");
  library.find(memFreeAsync, "cuMemFreeAsync");
  library.find(memAllocHost, "cuMemAllocHost_v2");
  library.find(memFreeHost, "cuMemFreeHost");
  library.find(memcpyHtoDAsync, "cuMemcpyHtoDAsync_v2");
  library.find(memcpyDtoHAsync, "cuMemcpyDtoHAsync_v2");
  library.find(moduleLoadData, "cuModuleLoadData");
  library.find(moduleUnload, "cuModuleUnload");
  library.find(moduleGetFunction, "cuModuleGetFunction");
  library.find(launchKernel, "cuLaunchKernel");
  library.find(getErrorString, "cuGetErrorString");
}

NvrtcApi::NvrtcApi(const CudaLibraries& libraries)
    : library("NVRTC", namesOr(libraries.nvrtc,
                               {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2", "libnvrtc.so"})) {
  library.find(createProgram, "nvrtcCreateProgram");
  library.find(destroyProgram, "nvrtcDestroyProgram");
  library.find(compileProgram, "nvrtcCompileProgram");
  library.find(getCubinSize, "nvrtcGetCUBINSize");
  library.find(getCubin, "nvrtcGetCUBIN");
  library.find(getLogSize, "nvrtcGetProgramLogSize");
  library.find(getLog, "nvrtcGetProgramLog");
}

CublasApi::CublasApi(const CudaLibraries& libraries)
    : library("cuBLAS", namesOr(libraries.cublas,
                                {"libcublas.so.13", "libcublas.so.12", "libcublas.so.11", "libcublas.so"})) {
  library.find(create, "cublasCreate_v2");
  library.find(destroy, "cublasDestroy_v2");
  library.find(setStream, "cublasSetStream_v2");
  library.find(floatGemm, "cublasSgemmStridedBatched");
  library.find(doubleGemm, "cublasDgemmStridedBatched");
}

}  // namespace tapestry::detail
