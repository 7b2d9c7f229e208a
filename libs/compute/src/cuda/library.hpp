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

  /// The function of that name; throws DeviceError if there is none.
  template <class F>
  void find(F*& function, const char* name) const {
    function = reinterpret_cast<F*>(address(name));
  }

 private:
  void* address(const char* name) const;

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
  int (*init)(unsigned flags);
  int (*driverGetVersion)(int* version);
  int (*deviceGetCount)(int* count);
  int (*deviceGet)(CudaDevice* device, int index);
  int (*deviceGetName)(char* name, int length, CudaDevice device);
  int (*deviceTotalMem)(std::size_t* bytes, CudaDevice device);
  int (*deviceGetAttribute)(int* value, int attribute, CudaDevice device);
  int (*primaryCtxRetain)(CudaContext* context, CudaDevice device);
  int (*primaryCtxRelease)(CudaDevice device);
  int (*ctxPushCurrent)(CudaContext context);
  int (*ctxPopCurrent)(CudaContext* context);
  int (*streamCreate)(CudaStream* stream, unsigned flags);
  int (*streamDestroy)(CudaStream stream);
  int (*streamSynchronize)(CudaStream stream);
  int (*streamAddCallback)(CudaStream stream, void (*callback)(CudaStream, int, void*), void* data,
                           unsigned flags);
  int (*memAllocAsync)(CudaPointer* memory, std::size_t bytes, CudaStream stream);
  int (*memFreeAsync)(CudaPointer memory, CudaStream stream);
  int (*memAllocHost)(void** memory, std::size_t bytes);
  int (*memFreeHost)(void* memory);
  int (*memcpyHtoDAsync)(CudaPointer to, const void* from, std::size_t bytes, CudaStream stream);
  int (*memcpyDtoHAsync)(void* to, CudaPointer from, std::size_t bytes, CudaStream stream);
  int (*moduleLoadData)(CudaModule* module, const void* image);
  int (*moduleUnload)(CudaModule module);
  int (*moduleGetFunction)(CudaFunction* function, CudaModule module, const char* name);
  int (*launchKernel)(CudaFunction function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
                      unsigned blockY, unsigned blockZ, unsigned sharedBytes, CudaStream stream,
                      void** parameters, void** extra);
  int (*getErrorString)(int error, const char** text);
};

struct NvrtcApi {
  explicit NvrtcApi(const CudaLibraries& libraries);

  SharedLibrary library;
  int (*createProgram)(NvrtcProgram* program, const char* source, const char* name, int headers,
                       const char* const* headerSources, const char* const* headerNames);
  int (*destroyProgram)(NvrtcProgram* program);
  int (*compileProgram)(NvrtcProgram program, int count, const char* const* options);
  int (*getCubinSize)(NvrtcProgram program, std::size_t* bytes);
  int (*getCubin)(NvrtcProgram program, char* image);
  int (*getLogSize)(NvrtcProgram program, std::size_t* bytes);
  int (*getLog)(NvrtcProgram program, char* log);
};

struct CublasApi {
  explicit CublasApi(const CudaLibraries& libraries);

  /// cublasSgemmStridedBatched and cublasDgemmStridedBatched; operations are 0 for none and 1 for transposed.
  template <class T>
  using Gemm = int(CublasHandle handle, int operationA, int operationB, int m, int n, int k, const T* alpha,
                   const T* a, int rowLengthA, long long strideA, const T* b, int rowLengthB,
                   long long strideB, const T* beta, T* c, int rowLengthC, long long strideC, int batch);

  SharedLibrary library;
  int (*create)(CublasHandle* handle);
  int (*destroy)(CublasHandle handle);
  int (*setStream)(CublasHandle handle, CudaStream stream);
  Gemm<float>* floatGemm;
  Gemm<double>* doubleGemm;
};

}  // namespace tapestry::detail
