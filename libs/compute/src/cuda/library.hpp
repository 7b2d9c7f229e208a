// Defines CudaDriverApi, NvrtcApi and CublasApi, the functions of CUDA that are used, loaded at run time.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <tapestry/compute/cuda/cuda_devices.hpp>

namespace tapestry::detail {

/// A shared library, closed with its last owner.
class SharedLibrary {
 public:
  /// Opens the first of the names that is found; throws DeviceError, which lists them.
  SharedLibrary(const std::string& what, const std::vector<std::string>& names);
  SharedLibrary(const SharedLibrary&) = delete;
  SharedLibrary& operator=(const SharedLibrary&) = delete;
  ~SharedLibrary();

  /// A function, as a pointer of any type.
  struct Symbol {
    void* address;
    template <class F>
    operator F*() const noexcept {
      return reinterpret_cast<F*>(address);
    }
  };

  /// The function of that name; throws DeviceError if there is none.
  Symbol operator[](const char* name) const;

 private:
  std::string name_;
  void* handle_;
};

using CudaDevice = int;
using CudaPointer = unsigned long long;  ///< CUdeviceptr
using CudaContext = struct CudaContextTag*;
using CudaStream = struct CudaStreamTag*;
using CudaModule = struct CudaModuleTag*;
using CudaFunction = struct CudaFunctionTag*;
using NvrtcProgram = struct NvrtcProgramTag*;
using CublasHandle = struct CublasHandleTag*;

/// Functions of libcuda, by their names without the prefix. They return 0 for success.
struct CudaDriverApi {
  explicit CudaDriverApi(const CudaLibraries& libraries);

  SharedLibrary library;
  int (*init)(unsigned flags) = library["cuInit"];
  int (*driverGetVersion)(int* version) = library["cuDriverGetVersion"];
  int (*deviceGetCount)(int* count) = library["cuDeviceGetCount"];
  int (*deviceGet)(CudaDevice* device, int index) = library["cuDeviceGet"];
  int (*deviceGetName)(char* name, int length, CudaDevice device) = library["cuDeviceGetName"];
  int (*deviceTotalMem)(std::size_t* bytes, CudaDevice device) = library["cuDeviceTotalMem_v2"];
  int (*deviceGetAttribute)(int* value, int attribute, CudaDevice device) = library["cuDeviceGetAttribute"];
  int (*primaryCtxRetain)(CudaContext* context, CudaDevice device) = library["cuDevicePrimaryCtxRetain"];
  int (*primaryCtxRelease)(CudaDevice device) = library["cuDevicePrimaryCtxRelease_v2"];
  int (*ctxPushCurrent)(CudaContext context) = library["cuCtxPushCurrent_v2"];
  int (*ctxPopCurrent)(CudaContext* context) = library["cuCtxPopCurrent_v2"];
  int (*streamCreate)(CudaStream* stream, unsigned flags) = library["cuStreamCreate"];
  int (*streamDestroy)(CudaStream stream) = library["cuStreamDestroy_v2"];
  int (*streamSynchronize)(CudaStream stream) = library["cuStreamSynchronize"];
  int (*streamAddCallback)(CudaStream stream, void (*callback)(CudaStream, int, void*), void* data,
                           unsigned flags) = library["cuStreamAddCallback"];
  int (*memAllocAsync)(CudaPointer* memory, std::size_t bytes,
                       CudaStream stream) = library["cuMemAllocAsync"];
  int (*memFreeAsync)(CudaPointer memory, CudaStream stream) = library["cuMemFreeAsync"];
  int (*memAllocHost)(void** memory, std::size_t bytes) = library["cuMemAllocHost_v2"];
  int (*memFreeHost)(void* memory) = library["cuMemFreeHost"];
  int (*memcpyHtoDAsync)(CudaPointer to, const void* from, std::size_t bytes,
                         CudaStream stream) = library["cuMemcpyHtoDAsync_v2"];
  int (*memcpyDtoHAsync)(void* to, CudaPointer from, std::size_t bytes,
                         CudaStream stream) = library["cuMemcpyDtoHAsync_v2"];
  int (*moduleLoadData)(CudaModule* module, const void* image) = library["cuModuleLoadData"];
  int (*moduleUnload)(CudaModule module) = library["cuModuleUnload"];
  int (*moduleGetFunction)(CudaFunction* function, CudaModule module,
                           const char* name) = library["cuModuleGetFunction"];
  int (*launchKernel)(CudaFunction function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
                      unsigned blockY, unsigned blockZ, unsigned sharedBytes, CudaStream stream,
                      void** parameters, void** extra) = library["cuLaunchKernel"];
  int (*getErrorString)(int error, const char** text) = library["cuGetErrorString"];
};

struct NvrtcApi {
  explicit NvrtcApi(const CudaLibraries& libraries);

  SharedLibrary library;
  int (*createProgram)(NvrtcProgram* program, const char* source, const char* name, int headers,
                       const char* const* headerSources,
                       const char* const* headerNames) = library["nvrtcCreateProgram"];
  int (*destroyProgram)(NvrtcProgram* program) = library["nvrtcDestroyProgram"];
  int (*compileProgram)(NvrtcProgram program, int count,
                        const char* const* options) = library["nvrtcCompileProgram"];
  int (*getCubinSize)(NvrtcProgram program, std::size_t* bytes) = library["nvrtcGetCUBINSize"];
  int (*getCubin)(NvrtcProgram program, char* image) = library["nvrtcGetCUBIN"];
  int (*getLogSize)(NvrtcProgram program, std::size_t* bytes) = library["nvrtcGetProgramLogSize"];
  int (*getLog)(NvrtcProgram program, char* log) = library["nvrtcGetProgramLog"];
};

struct CublasApi {
  explicit CublasApi(const CudaLibraries& libraries);

  /// cublasSgemmStridedBatched and cublasDgemmStridedBatched; operations are 0 for none and 1 for transposed.
  template <class T>
  using Gemm = int(CublasHandle handle, int operationA, int operationB, int m, int n, int k, const T* alpha,
                   const T* a, int rowLengthA, long long strideA, const T* b, int rowLengthB,
                   long long strideB, const T* beta, T* c, int rowLengthC, long long strideC, int batch);

  SharedLibrary library;
  int (*create)(CublasHandle* handle) = library["cublasCreate_v2"];
  int (*destroy)(CublasHandle handle) = library["cublasDestroy_v2"];
  int (*setStream)(CublasHandle handle, CudaStream stream) = library["cublasSetStream_v2"];
  Gemm<float>* floatGemm = library["cublasSgemmStridedBatched"];
  Gemm<double>* doubleGemm = library["cublasDgemmStridedBatched"];
};

}  // namespace tapestry::detail
