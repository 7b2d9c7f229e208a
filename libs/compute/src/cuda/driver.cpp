#include "cuda/driver.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include <tapestry/compute/device_error.hpp>
#include <tapestry/continuation/blocking.hpp>
#include <tapestry/continuation/delay.hpp>

namespace tapestry::detail {

namespace {

constexpr int outOfMemory = 2;

CudaPointer pointerTo(extend::DeviceMemory memory) noexcept { return reinterpret_cast<CudaPointer>(memory); }

struct CudaCompletion {
  std::string device;
  std::function<void(std::exception_ptr)> done;
};

/// Functions that the driver calls must not call the driver, and what waits for the device may do so.
void onCudaComplete(CudaStream, int status, void* data) {
  delay([completion = std::shared_ptr<CudaCompletion>(static_cast<CudaCompletion*>(data)), status] {
    completion->done(status == 0 ? std::exception_ptr()
                                 : std::make_exception_ptr(DeviceError("tapestry::" + completion->device +
                                                                       ": the device failed with error " +
                                                                       std::to_string(status))));
  }).onComplete([](const auto&) {}, blockingThreads());
}

std::size_t pinnedSize(std::size_t bytes) noexcept {
  return std::bit_ceil(std::max<std::size_t>(bytes, 4096));
}

}  // namespace

PinnedMemory::~PinnedMemory() {
  const CurrentContext current(*api_, context_);
  for (const auto& [size, list] : free_)
    for (void* const memory : list) api_->memFreeHost(memory);
}

void* PinnedMemory::take(std::size_t bytes) {
  const std::size_t size = pinnedSize(bytes);
  {
    const std::lock_guard lock(mutex_);
    auto& list = free_[size];
    if (!list.empty()) {
      void* const memory = list.back();
      list.pop_back();
      return memory;
    }
  }
  void* memory = nullptr;
  if (api_->memAllocHost(&memory, size) != 0)
    throw DeviceMemoryError("tapestry::cuda: no pinned memory of the host for " + std::to_string(size) +
                            " bytes");
  return memory;
}

void PinnedMemory::give(void* memory, std::size_t bytes) noexcept {
  const std::lock_guard lock(mutex_);
  free_[pinnedSize(bytes)].push_back(memory);
}

CudaDriver::CudaDriver(std::shared_ptr<const CudaDriverApi> api, CudaDevice device,
                       extend::DeviceProperties properties, std::string architecture,
                       const CudaLibraries& libraries)
    : api_(std::move(api)),
      nvrtc_(libraries),
      cublas_(libraries),
      device_(device),
      properties_(std::move(properties)),
      architecture_("--gpu-architecture=" + std::move(architecture)) {
  require(api_->primaryCtxRetain(&context_, device_), "open");
  pinned_ = std::make_shared<PinnedMemory>(api_, context_);
  const CurrentContext current(*api_, context_);
  constexpr unsigned nonBlocking = 1;
  require(api_->streamCreate(&stream_, nonBlocking), "create a stream");
}

CudaDriver::~CudaDriver() {
  {
    const CurrentContext current(*api_, context_);
    api_->streamSynchronize(stream_);
    if (handle_ != nullptr) cublas_.destroy(handle_);
    for (const CudaModule module : modules_) api_->moduleUnload(module);
    api_->streamDestroy(stream_);
    pinned_.reset();
  }
  api_->primaryCtxRelease(device_);
}

void CudaDriver::require(int status, const char* operation) const {
  if (status == 0) return;
  const char* text = nullptr;
  api_->getErrorString(status, &text);
  const std::string message = "tapestry::" + properties_.name + ": " + operation + " failed with error " +
                              std::to_string(status) + (text != nullptr ? std::string(", ") + text : "");
  if (status == outOfMemory) throw DeviceMemoryError(message);
  throw DeviceError(message);
}

extend::DeviceMemory CudaDriver::allocate(std::size_t bytes) {
  const CurrentContext current(*api_, context_);
  CudaPointer memory = 0;
  require(api_->memAllocAsync(&memory, bytes, stream_), "allocate");
  return reinterpret_cast<extend::DeviceMemory>(memory);
}

void CudaDriver::release(extend::DeviceMemory memory) noexcept {
  const CurrentContext current(*api_, context_);
  api_->memFreeAsync(pointerTo(memory), stream_);
}

void CudaDriver::write(extend::DeviceMemory to, const void* from, std::size_t bytes,
                       std::shared_ptr<const void>) {
  const CurrentContext current(*api_, context_);
  constexpr std::size_t takenAtOnce =
      64 * 1024;  // up to this size the driver has the bytes when the call returns
  if (bytes <= takenAtOnce)
    return require(api_->memcpyHtoDAsync(pointerTo(to), from, bytes, stream_), "write");
  void* const staged = pinned_->take(bytes);
  std::memcpy(staged, from, bytes);
  require(api_->memcpyHtoDAsync(pointerTo(to), staged, bytes, stream_), "write");
  whenDone([pinned = pinned_, staged, bytes](const std::exception_ptr&) { pinned->give(staged, bytes); });
}

void CudaDriver::read(void* to, extend::DeviceMemory from, std::size_t bytes, std::shared_ptr<void> owner,
                      std::function<void(std::exception_ptr)> done) {
  const CurrentContext current(*api_, context_);
  void* const staged = pinned_->take(bytes);
  require(api_->memcpyDtoHAsync(staged, pointerTo(from), bytes, stream_), "read");
  whenDone([pinned = pinned_, staged, bytes, to, owner = std::move(owner),
            done = std::move(done)](const std::exception_ptr& error) {
    if (!error) std::memcpy(to, staged, bytes);
    pinned->give(staged, bytes);
    done(error);
  });
}

std::string CudaDriver::imageOf(const std::string& name, const std::string& source) const {
  NvrtcProgram program = nullptr;
  require(nvrtc_.createProgram(&program, (properties_.prelude + source).c_str(), (name + ".cu").c_str(), 0,
                               nullptr, nullptr),
          "create a program");
  const auto destroy = [this](NvrtcProgram p) { nvrtc_.destroyProgram(&p); };
  const std::unique_ptr<NvrtcProgramTag, decltype(destroy)> owner(program, destroy);
  const char* const options[] = {architecture_.c_str(), "--std=c++17"};
  std::size_t bytes = 0;
  std::string text;
  if (nvrtc_.compileProgram(program, 2, options) != 0) {
    nvrtc_.getLogSize(program, &bytes);
    text.resize(bytes);
    nvrtc_.getLog(program, text.data());
    throw DeviceError("tapestry::" + properties_.name + ": kernel " + name + " does not compile: " + text,
                      source);
  }
  require(nvrtc_.getCubinSize(program, &bytes), "compile");
  text.resize(bytes);
  require(nvrtc_.getCubin(program, text.data()), "compile");
  return text;
}

extend::DeviceKernel CudaDriver::compile(const std::string& name, const std::string& source) {
  const std::string image = imageOf(name, source);
  const CurrentContext current(*api_, context_);
  CudaModule module = nullptr;
  require(api_->moduleLoadData(&module, image.data()), "load a kernel");
  {
    const std::lock_guard lock(modulesMutex_);
    modules_.push_back(module);
  }
  CudaFunction function = nullptr;
  require(api_->moduleGetFunction(&function, module, name.c_str()), "find a kernel");
  return function;
}

void CudaDriver::launch(extend::DeviceKernel kernel, std::span<const extend::KernelArgument> arguments,
                        std::size_t groups, std::size_t groupSize) {
  const CurrentContext current(*api_, context_);
  std::vector<void*> parameters;
  parameters.reserve(arguments.size());
  for (const extend::KernelArgument& argument : arguments)
    std::visit(
        [&](const auto& value) { parameters.push_back(const_cast<void*>(static_cast<const void*>(&value))); },
        argument);
  require(api_->launchKernel(static_cast<CudaFunction>(kernel), static_cast<unsigned>(groups), 1, 1,
                             static_cast<unsigned>(groupSize), 1, 1, 0, stream_, parameters.data(), nullptr),
          "launch");
}

void CudaDriver::prepareProducts(bool) {
  const CurrentContext current(*api_, context_);
  if (handle_ != nullptr) return;
  CublasHandle handle = nullptr;
  require(cublas_.create(&handle), "create a handle of cuBLAS");
  require(cublas_.setStream(handle, stream_), "set the stream of cuBLAS");
  handle_ = handle;
}

template <class T>
int CudaDriver::multiply(CublasApi::Gemm<T>* gemm, const extend::DeviceProduct& p) const {
  const auto data = [](const extend::DeviceProduct::Matrix& x) {
    return reinterpret_cast<T*>(x.memory) + x.offset;
  };
  const T alpha = static_cast<T>(p.alpha), beta = static_cast<T>(p.beta);
  const auto strideOf = [](const extend::DeviceProduct::Matrix& x) {
    return static_cast<long long>(x.batchStride);
  };
  const auto number = [](std::size_t n) { return static_cast<int>(n); };
  // cuBLAS has columns where these have rows: it computes the transpose of c, of transposes in the other
  // order
  return gemm(handle_, p.b.transposed, p.a.transposed, number(p.n), number(p.m), number(p.k), &alpha,
              data(p.b), number(p.b.rowLength), strideOf(p.b), data(p.a), number(p.a.rowLength),
              strideOf(p.a), &beta, data(p.c), number(p.c.rowLength), strideOf(p.c), number(p.batch));
}

void CudaDriver::multiply(const extend::DeviceProduct& product) {
  const CurrentContext current(*api_, context_);
  require(product.isDouble ? multiply(cublas_.doubleGemm, product) : multiply(cublas_.floatGemm, product),
          "product");
}

void CudaDriver::whenDone(std::function<void(std::exception_ptr)> done) {
  const CurrentContext current(*api_, context_);
  auto completion = std::make_unique<CudaCompletion>(CudaCompletion{properties_.name, std::move(done)});
  require(api_->streamAddCallback(stream_, onCudaComplete, completion.get(), 0), "finish");
  static_cast<void>(completion.release());  // the callback owns it
}

}  // namespace tapestry::detail
