#include "cuda/driver.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include <tapestry/compute/device_error.hpp>

#include "device/background.hpp"
#include "device/memory_pool.hpp"

namespace tapestry::detail {

namespace {

CudaPointer pointerTo(extend::DeviceMemory memory) noexcept { return reinterpret_cast<CudaPointer>(memory); }

struct CudaCompletion {
  std::string device;
  std::function<void(std::exception_ptr)> done;
};

/// Functions that the driver calls must not call the driver, and what waits for the device may do so.
void onCudaComplete(CudaStream, int status, void* data) {
  const std::shared_ptr<CudaCompletion> completion(static_cast<CudaCompletion*>(data));
  inBackgroundOrHere([completion, status] {
    completion->done(status == 0 ? std::exception_ptr()
                                 : std::make_exception_ptr(DeviceError("tapestry::" + completion->device +
                                                                       ": the device failed with error " +
                                                                       std::to_string(status))));
  });
}

/// Throws DeviceError unless the status of the source is 0.
void requireSuccess(const CudaDriverApi& api, const std::string& device, int status, const char* operation,
                    const StatusSource& source = ofDriver) {
  if (status == 0) return;
  const char* text = source.ending;
  if (text == nullptr) api.getErrorString(status, &text);
  const std::string message = "tapestry::" + device + ": " + operation + " failed with error " +
                              std::to_string(status) + (source.ending == nullptr ? ", " : "") +
                              (text != nullptr ? text : "an unknown error");
  if (status == source.outOfMemory) throw DeviceMemoryError(message);
  throw DeviceError(message);
}

}  // namespace

PrimaryContext::PrimaryContext(std::shared_ptr<const CudaDriverApi> api, CudaDevice device,
                               const std::string& name)
    : api_(std::move(api)), device_(device) {
  requireSuccess(*api_, name, api_->primaryCtxRetain(&context_, device_), "open");
}

std::shared_ptr<void> PinnedMemory::take(std::size_t bytes) {
  const std::size_t size = MemoryPool::capacityFor(std::max<std::size_t>(bytes, 4096));
  void* memory = takeFree(size);
  if (memory == nullptr && context_->api().memAllocHost(&memory, size) != 0)
    throw DeviceMemoryError("tapestry::cuda: no pinned memory of the host for " + std::to_string(size) +
                            " bytes");
  return {memory, [self = shared_from_this(), size](void* taken) { self->give(taken, size); }};
}

void* PinnedMemory::takeFree(std::size_t size) {
  const std::lock_guard lock(mutex_);
  auto& list = free_[size];
  if (list.empty()) return nullptr;
  void* const memory = list.back();
  list.pop_back();
  return memory;
}

void PinnedMemory::give(void* memory, std::size_t size) noexcept {
  const std::lock_guard lock(mutex_);
  free_[size].push_back(memory);
}

void PinnedMemory::trim() noexcept {
  const CurrentContext current(*context_);
  const std::lock_guard lock(mutex_);
  for (auto& [size, list] : free_) {
    for (void* const memory : list) context_->api().memFreeHost(memory);
    list.clear();
  }
}

CudaDriver::CudaDriver(std::string name, std::shared_ptr<const CudaDriverApi> api, CudaDevice device,
                       extend::DeviceProperties properties, std::string architecture,
                       const CudaLibraries& libraries)
    : api_(std::move(api)),
      nvrtc_(libraries),
      cublas_(libraries),
      name_(std::move(name)),
      properties_(std::move(properties)),
      architecture_("--gpu-architecture=" + std::move(architecture)),
      context_(std::make_shared<const PrimaryContext>(api_, device, name_)),
      pinned_(std::make_shared<PinnedMemory>(context_)) {
  const CurrentContext current(*context_);
  constexpr unsigned nonBlocking = 1;
  require(api_->streamCreate(&stream_, nonBlocking), "create a stream");
}

CudaDriver::~CudaDriver() {
  const CurrentContext current(*context_);
  api_->streamSynchronize(stream_);
  if (handle_ != nullptr) cublas_.destroy(handle_);
  for (const CudaModule module : modules_) api_->moduleUnload(module);
  api_->streamDestroy(stream_);
}

void CudaDriver::require(int status, const char* operation, const StatusSource& source) const {
  requireSuccess(*api_, name_, status, operation, source);
}

extend::DeviceMemory CudaDriver::allocate(std::size_t bytes) {
  const CurrentContext current(*context_);
  CudaPointer memory = 0;
  require(api_->memAllocAsync(&memory, bytes, stream_), "allocate");
  return reinterpret_cast<extend::DeviceMemory>(memory);
}

void CudaDriver::release(extend::DeviceMemory memory) noexcept {
  const CurrentContext current(*context_);
  api_->memFreeAsync(pointerTo(memory), stream_);
}

void CudaDriver::write(extend::DeviceMemory to, const void* from, std::size_t bytes,
                       std::shared_ptr<const void>) {
  const CurrentContext current(*context_);
  constexpr std::size_t takenAtOnce = 64 * 1024;  // the driver has so many bytes when the call returns
  if (bytes <= takenAtOnce)
    return require(api_->memcpyHtoDAsync(pointerTo(to), from, bytes, stream_), "write");
  std::shared_ptr<void> staged = pinned_->take(bytes);
  std::memcpy(staged.get(), from, bytes);
  require(api_->memcpyHtoDAsync(pointerTo(to), staged.get(), bytes, stream_), "write");
  whenDone([staged = std::move(staged)](const std::exception_ptr&) {});
}

void CudaDriver::read(void* to, extend::DeviceMemory from, std::size_t bytes, std::shared_ptr<void> owner,
                      std::function<void(std::exception_ptr)> done) {
  const CurrentContext current(*context_);
  std::shared_ptr<void> staged = pinned_->take(bytes);
  require(api_->memcpyDtoHAsync(staged.get(), pointerTo(from), bytes, stream_), "read");
  whenDone([staged = std::move(staged), bytes, to, owner = std::move(owner),
            done = std::move(done)](std::exception_ptr error) mutable {
    if (!error) std::memcpy(to, staged.get(), bytes);
    staged.reset();
    done(std::move(error));
  });
}

std::string CudaDriver::imageOf(const std::string& name, const std::string& source) const {
  NvrtcProgram program = nullptr;
  require(nvrtc_.createProgram(&program, (properties_.prelude + source).c_str(), (name + ".cu").c_str(), 0,
                               nullptr, nullptr),
          "create a program", ofNvrtc);
  const auto destroy = [this](NvrtcProgram p) { nvrtc_.destroyProgram(&p); };
  const std::unique_ptr<NvrtcProgramTag, decltype(destroy)> owner(program, destroy);
  const char* const options[] = {architecture_.c_str(), "--std=c++17"};
  std::size_t bytes = 0;
  std::string text;
  if (nvrtc_.compileProgram(program, 2, options) != 0) {
    nvrtc_.getLogSize(program, &bytes);
    text.resize(bytes);
    nvrtc_.getLog(program, text.data());
    throw DeviceError("tapestry::" + name_ + ": kernel " + name + " does not compile: " + text, source);
  }
  require(nvrtc_.getCubinSize(program, &bytes), "compile", ofNvrtc);
  text.resize(bytes);
  require(nvrtc_.getCubin(program, text.data()), "compile", ofNvrtc);
  return text;
}

extend::DeviceKernel CudaDriver::compile(const std::string& name, const std::string& source) {
  const std::string image = imageOf(name, source);
  const CurrentContext current(*context_);
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
  const CurrentContext current(*context_);
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
  const CurrentContext current(*context_);
  if (handle_ != nullptr) return;
  CublasHandle handle = nullptr;
  require(cublas_.create(&handle), "create a handle", ofCublas);
  const int status = cublas_.setStream(handle, stream_);
  if (status != 0) cublas_.destroy(handle);
  require(status, "set the stream", ofCublas);
  handle_ = handle;
}

template <class T>
int CudaDriver::multiply(CublasApi::Gemm<T>* gemm, const extend::DeviceProduct& p) const {
  const auto data = [](const extend::DeviceProduct::Matrix& x) {
    return reinterpret_cast<T*>(x.memory) + x.offset;
  };
  constexpr T one = 1, zero = 0;
  const auto strideOf = [](const extend::DeviceProduct::Matrix& x) {
    return static_cast<long long>(x.batchStride);
  };
  const auto number = [](std::size_t n) { return static_cast<int>(n); };
  // cuBLAS has columns where these have rows: it computes the transpose of c, of transposes in the other
  // order
  return gemm(handle_, p.b.transposed, p.a.transposed, number(p.n), number(p.m), number(p.k), &one, data(p.b),
              number(p.b.rowLength), strideOf(p.b), data(p.a), number(p.a.rowLength), strideOf(p.a), &zero,
              data(p.c), number(p.c.rowLength), strideOf(p.c), number(p.batch));
}

void CudaDriver::multiply(const extend::DeviceProduct& product) {
  const CurrentContext current(*context_);
  require(product.isDouble ? multiply(cublas_.doubleGemm, product) : multiply(cublas_.floatGemm, product),
          "product", ofCublas);
}

void CudaDriver::whenDone(std::function<void(std::exception_ptr)> done) {
  const CurrentContext current(*context_);
  auto completion = std::make_unique<CudaCompletion>(CudaCompletion{name_, std::move(done)});
  const int status = api_->streamAddCallback(stream_, onCudaComplete, completion.get(), 0);
  if (status != 0) api_->streamSynchronize(stream_);  // the commands use what the completion owns
  require(status, "finish");
  static_cast<void>(completion.release());  // the callback owns it
}

}  // namespace tapestry::detail
