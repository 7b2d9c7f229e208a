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

SharedLibrary::Symbol SharedLibrary::operator[](const char* name) const {
  void* const found = dlsym(handle_, name);
  if (found == nullptr)
    throw DeviceError("tapestry::cuda: " + name_ + " has no function " + name + ", expected a later version");
  return {found};
}

CudaDriverApi::CudaDriverApi(const CudaLibraries& libraries)
    : library("the driver", namesOr(libraries.driver, {"libcuda.so.1"})) {}

NvrtcApi::NvrtcApi(const CudaLibraries& libraries)
    : library("NVRTC", namesOr(libraries.nvrtc,
                               {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2", "libnvrtc.so"})) {}

CublasApi::CublasApi(const CudaLibraries& libraries)
    : library("cuBLAS", namesOr(libraries.cublas,
                                {"libcublas.so.13", "libcublas.so.12", "libcublas.so.11", "libcublas.so"})) {}

}  // namespace tapestry::detail
