// Defines CudaDriver, a device of CUDA.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "cuda/library.hpp"

namespace tapestry::detail {

/// The primary context of a device, which is released with its last owner.
class PrimaryContext {
 public:
  /// Throws DeviceError, which names the device.
  PrimaryContext(std::shared_ptr<const CudaDriverApi> api, CudaDevice device, const std::string& name);
  PrimaryContext(const PrimaryContext&) = delete;
  PrimaryContext& operator=(const PrimaryContext&) = delete;
  ~PrimaryContext() { api_->primaryCtxRelease(device_); }

  const CudaDriverApi& api() const noexcept { return *api_; }
  CudaContext get() const noexcept { return context_; }

 private:
  const std::shared_ptr<const CudaDriverApi> api_;
  const CudaDevice device_;
  CudaContext context_ = nullptr;
};
using ContextRef = std::shared_ptr<const PrimaryContext>;

/// A context is current on a thread for the time that this object exists.
class CurrentContext {
 public:
  explicit CurrentContext(const PrimaryContext& context) noexcept : api_(context.api()) {
    api_.ctxPushCurrent(context.get());
  }
  CurrentContext(const CurrentContext&) = delete;
  CurrentContext& operator=(const CurrentContext&) = delete;
  ~CurrentContext() {
    CudaContext context = nullptr;
    api_.ctxPopCurrent(&context);
  }

 private:
  const CudaDriverApi& api_;
};

/// Memory of the host that the device copies from and to without a thread that waits, by the sizes of the
/// device's pool. Memory that commands still use after the destruction of the driver keeps the context alive.
class PinnedMemory : public std::enable_shared_from_this<PinnedMemory> {
 public:
  explicit PinnedMemory(ContextRef context) noexcept : context_(std::move(context)) {}
  PinnedMemory(const PinnedMemory&) = delete;
  PinnedMemory& operator=(const PinnedMemory&) = delete;
  ~PinnedMemory() { trim(); }

  /// Returns memory that goes back to this pool with its last owner, on any thread. Throws DeviceMemoryError.
  std::shared_ptr<void> take(std::size_t bytes);
  /// Frees the memory that is not in use.
  void trim() noexcept;

 private:
  void* takeFree(std::size_t size);
  void give(void* memory, std::size_t size) noexcept;

  const ContextRef context_;
  std::mutex mutex_;
  std::map<std::size_t, std::vector<void*>> free_;
};

/// The library that returns a status.
struct StatusSource {
  const char* ending;  ///< of a message, or null if the library has a text for each status
  int outOfMemory;     ///< the status that the device has too little memory, or 0 if there is none
};
inline constexpr StatusSource ofDriver{nullptr, 2}, ofNvrtc{" of NVRTC", 0}, ofCublas{" of cuBLAS", 3};

class CudaDriver final : public extend::DeviceDriver {
 public:
  /// `name` names the device in errors. Throws DeviceError.
  CudaDriver(std::string name, std::shared_ptr<const CudaDriverApi> api, CudaDevice device,
             extend::DeviceProperties properties, std::string architecture, const CudaLibraries& libraries);
  ~CudaDriver() override;

  const extend::DeviceProperties& properties() const noexcept override { return properties_; }
  extend::DeviceMemory allocate(std::size_t bytes) override;
  void release(extend::DeviceMemory memory) noexcept override;
  void write(extend::DeviceMemory to, const void* from, std::size_t bytes,
             std::shared_ptr<const void> owner) override;
  void read(void* to, extend::DeviceMemory from, std::size_t bytes, std::shared_ptr<void> owner,
            std::function<void(std::exception_ptr)> done) override;
  extend::DeviceKernel compile(const std::string& name, const std::string& source) override;
  void launch(extend::DeviceKernel kernel, std::span<const extend::KernelArgument> arguments,
              std::size_t groups, std::size_t groupSize) override;
  void prepareProducts(bool isDouble) override;
  void multiply(const extend::DeviceProduct& product) override;
  void whenDone(std::function<void(std::exception_ptr)> done) override;
  void trim() noexcept override { pinned_->trim(); }

 private:
  /// Throws DeviceError unless the status of the source is 0.
  void require(int status, const char* operation, const StatusSource& source = ofDriver) const;
  std::string imageOf(const std::string& name, const std::string& source) const;
  template <class T>
  int multiply(CublasApi::Gemm<T>* gemm, const extend::DeviceProduct& product) const;

  const std::shared_ptr<const CudaDriverApi> api_;
  const NvrtcApi nvrtc_;
  const CublasApi cublas_;
  const std::string name_;
  const extend::DeviceProperties properties_;
  const std::string architecture_;
  const ContextRef context_;
  const std::shared_ptr<PinnedMemory> pinned_;
  CudaStream stream_ = nullptr;
  CublasHandle handle_ = nullptr;
  std::mutex modulesMutex_;
  std::vector<CudaModule> modules_;
};

}  // namespace tapestry::detail
