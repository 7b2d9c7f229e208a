// A library that looks like CUDA's driver, NVRTC and cuBLAS at once, with memory of the host for that of a
// device. It records its calls in fakeCudaCalls, and fails the function whose name fakeCudaFails holds.
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace {

std::mutex mutex;
std::string calls;
std::string failing;
std::map<void*, std::size_t> memory;
int contexts = 0;
int pinned = 0;
int current = 0;  // contexts that are pushed
int misused = 0;

/// Notes a call that is undefined without a context that is current.
void needsContext() {
  const std::lock_guard lock(mutex);
  if (contexts == 0 || current == 0) ++misused;
}

/// Records the call, and returns the status that it is to have.
int called(const std::string& name) {
  const std::lock_guard lock(mutex);
  calls += name + '\n';
  if (!failing.starts_with(name + ' ')) return 0;
  return std::atoi(failing.c_str() + name.size() + 1);
}

void* tag(const char* name) { return const_cast<char*>(name); }

}  // namespace

extern "C" {

/// All calls so far, a line each; forgets them.
const char* fakeCudaCalls() {
  static std::string taken;
  const std::lock_guard lock(mutex);
  taken = std::move(calls);
  calls.clear();
  return taken.c_str();
}
/// "NAME STATUS" makes that function fail with the status; "" none.
void fakeCudaFails(const char* what) {
  const std::lock_guard lock(mutex);
  failing = what;
}
/// What is held: buffers of the device, contexts and buffers of the host.
int fakeCudaHeld() {
  const std::lock_guard lock(mutex);
  return static_cast<int>(memory.size()) + contexts + pinned;
}
/// How many calls used a context that had been released, or none.
int fakeCudaMisused() {
  const std::lock_guard lock(mutex);
  return misused;
}

int cuInit(unsigned) { return called("cuInit"); }
int cuDriverGetVersion(int* version) { return *version = 12040, 0; }
int cuDeviceGetCount(int* count) { return *count = 2, called("cuDeviceGetCount"); }
int cuDeviceGet(int* device, int index) { return *device = index + 10, 0; }
int cuDeviceGetName(char* name, int length, int device) {
  std::strncpy(name, device == 10 ? "Fake A" : "Fake B", static_cast<std::size_t>(length));
  return 0;
}
int cuDeviceTotalMem_v2(std::size_t* bytes, int) { return *bytes = 1 << 24, 0; }
int cuDeviceGetAttribute(int* value, int attribute, int) {
  *value = attribute == 75 ? 9 : attribute == 76 ? 0 : 8;
  return 0;
}
int cuDevicePrimaryCtxRetain(void** context, int) {
  const int status = called("cuDevicePrimaryCtxRetain");
  const std::lock_guard lock(mutex);
  if (status == 0) *context = tag("context"), ++contexts;
  return status;
}
int cuDevicePrimaryCtxRelease_v2(int) {
  called("cuDevicePrimaryCtxRelease");
  const std::lock_guard lock(mutex);
  return --contexts, 0;
}
int cuCtxPushCurrent_v2(void*) {
  const std::lock_guard lock(mutex);
  if (contexts == 0) ++misused;
  return ++current, 0;
}
int cuCtxPopCurrent_v2(void**) {
  const std::lock_guard lock(mutex);
  return --current, 0;
}
int cuStreamCreate(void** stream, unsigned) { return *stream = tag("stream"), called("cuStreamCreate"); }
int cuStreamDestroy_v2(void*) { return called("cuStreamDestroy"); }
int cuStreamSynchronize(void*) { return called("cuStreamSynchronize"); }
int cuStreamAddCallback(void* stream, void (*callback)(void*, int, void*), void* data, unsigned) {
  const int status = called("cuStreamAddCallback");
  if (status < 0) return -status;
  callback(stream, status, data);  // a lost device still calls back
  return 0;
}
int cuMemAllocAsync(void** pointer, std::size_t bytes, void*) {
  const int status = called("cuMemAllocAsync " + std::to_string(bytes));
  if (status != 0 || bytes > (1 << 24)) return 2;
  *pointer = std::malloc(bytes);
  const std::lock_guard lock(mutex);
  memory[*pointer] = bytes;
  return 0;
}
int cuMemFreeAsync(void* pointer, void*) {
  called("cuMemFreeAsync");
  const std::lock_guard lock(mutex);
  memory.erase(pointer);
  std::free(pointer);
  return 0;
}
int cuMemAllocHost_v2(void** pointer, std::size_t bytes) {
  needsContext();
  *pointer = std::malloc(bytes);
  const int status = called("cuMemAllocHost");
  const std::lock_guard lock(mutex);
  return ++pinned, status;
}
int cuMemFreeHost(void* pointer) {
  needsContext();
  std::free(pointer);
  const int status = called("cuMemFreeHost");
  const std::lock_guard lock(mutex);
  return --pinned, status;
}
int cuMemcpyHtoDAsync_v2(void* to, const void* from, std::size_t bytes, void*) {
  std::memcpy(to, from, bytes);
  return called("cuMemcpyHtoDAsync");
}
int cuMemcpyDtoHAsync_v2(void* to, const void* from, std::size_t bytes, void*) {
  std::memcpy(to, from, bytes);
  return called("cuMemcpyDtoHAsync");
}
int cuModuleLoadData(void** module, const void* image) {
  *module = tag("module");
  return called(std::string("cuModuleLoadData ") + static_cast<const char*>(image));
}
int cuModuleUnload(void*) { return called("cuModuleUnload"); }
int cuModuleGetFunction(void** function, void*, const char* name) {
  *function = tag("function");
  return called(std::string("cuModuleGetFunction ") + name);
}
int cuLaunchKernel(void*, unsigned grid, unsigned, unsigned, unsigned block, unsigned, unsigned, unsigned,
                   void*, void**, void**) {
  return called("cuLaunchKernel " + std::to_string(grid) + 'x' + std::to_string(block));
}
int cuGetErrorString(int error, const char** text) {
  return *text = error == 2 ? "out of memory" : "an error", 0;
}

int nvrtcCreateProgram(void** program, const char*, const char* name, int, const char* const*,
                       const char* const*) {
  *program = tag("program");
  return called(std::string("nvrtcCreateProgram ") + name);
}
int nvrtcDestroyProgram(void**) { return called("nvrtcDestroyProgram"); }
int nvrtcCompileProgram(void*, int, const char* const* options) {
  return called(std::string("nvrtcCompileProgram ") + options[0]) != 0 ? 6 : called("nvrtcCompileProgram");
}
int nvrtcGetCUBINSize(void*, std::size_t* bytes) { return *bytes = 6, 0; }
int nvrtcGetCUBIN(void*, char* image) { return std::strcpy(image, "image"), 0; }
int nvrtcGetProgramLogSize(void*, std::size_t* bytes) { return *bytes = 8, 0; }
int nvrtcGetProgramLog(void*, char* log) { return std::strcpy(log, "the log"), 0; }

int cublasCreate_v2(void** handle) { return *handle = tag("handle"), called("cublasCreate"); }
int cublasDestroy_v2(void*) { return called("cublasDestroy"); }
int cublasSetStream_v2(void*, void*) { return called("cublasSetStream"); }
int cublasSgemmStridedBatched(void*, int a, int b, int m, int n, int k, const float*, const float*, int rowA,
                              long long, const float*, int rowB, long long, const float*, float*, int rowC,
                              long long, int batch) {
  std::string text = "cublasSgemmStridedBatched";
  for (const int number : {a, b, m, n, k, rowA, rowB, rowC, batch}) text += ' ' + std::to_string(number);
  return called(text);
}
int cublasDgemmStridedBatched(void*, int, int, int, int, int, const double*, const double*, int, long long,
                              const double*, int, long long, const double*, double*, int, long long, int) {
  return called("cublasDgemmStridedBatched");
}
}
