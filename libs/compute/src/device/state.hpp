// Defines DeviceState, what the handles of a device share, and DeviceBuffer, memory that one of its tensors
// has.
#pragma once

#include <atomic>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <tapestry/compute/device.hpp>

#include "device/memory_pool.hpp"

namespace tapestry::detail {

/// Memory that goes back to the device's pool with its last owner.
class DeviceBuffer {
 public:
  DeviceBuffer(std::shared_ptr<DeviceState> device, std::size_t bytes);
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;
  ~DeviceBuffer();

  extend::DeviceMemory memory() const noexcept { return piece_.memory; }

  /// The error of the command that should have written the buffer; read and written under the device's lock.
  std::exception_ptr error;

 private:
  const std::shared_ptr<DeviceState> device_;
  MemoryPool::Piece piece_;
};
using BufferRef = std::shared_ptr<DeviceBuffer>;

/// Something that takes long to prepare, and is prepared once: a kernel, or the products of one type.
struct Preparation {
  std::string name;
  std::string source;  ///< empty for products
  bool isDouble = false;
  bool ready = false;
  extend::DeviceKernel kernel = nullptr;
  std::exception_ptr error = nullptr;  ///< that `prepare` failed with
};

/// Commands are issued to the driver in the order of the calls, at once where all is prepared. Where
/// something has to be compiled first, it is compiled on a thread for blocking calls, and all commands that
/// come later wait in a list; an error then goes to the buffers that the command should have written.
///
/// `Lock` is the right to call the driver, and all functions that take one must be called under it.
class DeviceState : public std::enable_shared_from_this<DeviceState> {
 public:
  using Lock = std::lock_guard<std::mutex>;

  DeviceState(std::string name, std::unique_ptr<extend::DeviceDriver> driver, const DeviceOptions& options);
  ~DeviceState();

  const std::string& name() const noexcept { return name_; }
  const extend::DeviceProperties& properties() const noexcept { return properties_; }
  /// The most bytes that buffers may take.
  std::uint64_t memoryLimit() const noexcept { return pool_.limit(); }
  bool fuses() const noexcept { return options_.fuse; }
  std::mutex& mutex() noexcept { return mutex_; }
  MemoryPool& pool() noexcept { return pool_; }

  /// The kernel of a structure; the first time, `make` returns its name and source.
  template <class F>
  Preparation& kernel(const std::string& structure, const F& make) {
    std::unique_ptr<Preparation>& kernel = kernels_[structure];
    if (!kernel) kernel = std::make_unique<Preparation>(make());
    return *kernel;
  }
  Preparation& products(bool isDouble) noexcept { return isDouble ? doubles_ : floats_; }

  /// Enqueues launches of a kernel. Throws the error that its compilation has ended with, or that what it
  /// reads has.
  void launch(Preparation& kernel, std::span<const extend::KernelArgument> arguments,
              const std::vector<BufferRef>& reads, const std::vector<BufferRef>& writes, std::size_t groups,
              std::size_t groupSize);
  void multiply(const extend::DeviceProduct& product, const std::vector<BufferRef>& reads,
                const BufferRef& write);
  void upload(const BufferRef& to, const void* from, std::size_t bytes, std::shared_ptr<const void> owner);
  /// Calls `done` with the error of the buffer or the device, or none, when the bytes are there.
  void download(void* to, const BufferRef& from, std::size_t bytes, std::shared_ptr<void> owner,
                std::function<void(std::exception_ptr)> done);
  void whenDone(std::function<void(std::exception_ptr)> done);
  /// Calls `done` when the driver has all commands that write the buffer, with the error of these.
  void whenIssued(const BufferRef& buffer, std::function<void(std::exception_ptr)> done);

  /// Returns memory of the pool; an error says whether waiting commands keep buffers.
  MemoryPool::Piece take(std::size_t bytes);
  /// Returns recycled buffers to the driver.
  void trim() noexcept;

  DeviceCounts counts();

 private:
  struct Issuing;
  struct Command {
    Preparation* needs = nullptr;
    std::vector<BufferRef> reads, writes;
    std::function<void()> issue;
    /// Called after `issue`, with the error; under the lock if `put` issues or refuses the command at once.
    std::function<void(std::exception_ptr)> issued = {};
    std::exception_ptr error = nullptr;  ///< that what the command reads has, or `issue` has thrown

    void fail(const std::exception_ptr& why) noexcept {
      error = why;
      for (const BufferRef& buffer : writes) buffer->error = why;
    }
  };

  bool canIssue(const Preparation* needs) const noexcept {
    return waiting_.empty() && (needs == nullptr || needs->ready);
  }
  void put(Command command);
  /// Starts the thread that issues the waiting commands, or throws.
  void startIssuing();
  /// Launches the kernel, whose name and source an error has.
  void launchNamed(const Preparation& kernel, std::span<const extend::KernelArgument> arguments,
                   std::size_t groups, std::size_t groupSize);
  /// Issues waiting commands up to one that needs a preparation, which it returns, or null if none waits.
  Preparation* issueReady() noexcept;
  void prepare(Preparation& what) noexcept;
  static void issue(Command& command) noexcept;

  const std::string name_;
  const DeviceOptions options_;
  const std::unique_ptr<extend::DeviceDriver> driver_;
  const extend::DeviceProperties& properties_;
  MemoryPool pool_;

  std::mutex mutex_;
  std::unordered_map<std::string, std::unique_ptr<Preparation>> kernels_;
  Preparation floats_, doubles_;
  std::deque<Command> waiting_;
  DeviceCounts counts_;
};

}  // namespace tapestry::detail
