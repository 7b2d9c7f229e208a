// Defines DeviceDriver, the interface of a back end: what a device does with buffers, kernels and products.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <variant>

#pragma GCC visibility push(default)
namespace tapestry::extend {

/// Memory of a device, as its driver knows it; null for none.
using DeviceMemory = void*;
/// A compiled kernel, which belongs to its driver.
using DeviceKernel = void*;

/// What a device is and has.
struct DeviceProperties {
  std::string name;                 ///< such as `NVIDIA H100`
  std::string driver;               ///< the driver and its version
  std::uint64_t memory = 0;         ///< in bytes
  std::uint64_t largestBuffer = 0;  ///< in bytes; 0 if it is not known
  bool hasDouble = false;
  /// The most work-items of a group that do not reduce together; the device must take groups of so many.
  std::uint32_t itemGroup = 256;
  /// How many work-items reduce together in one group, a power of 2; 1 where each work-item runs on a core of
  /// its own.
  std::uint32_t group = 1;
  /// How many neighbouring floats a work-item of an elementwise kernel takes: 1 or 4.
  std::uint32_t width = 1;
  /// How many work-items keep all of the device busy.
  std::uint32_t parallelism = 1;
  /// The most bytes that the arguments of a kernel may take; expressions with more become several kernels.
  std::size_t parameterBytes = 1024;
  /// The text that precedes the source of each kernel: the macros that docs/decisions/devices.md lists, and
  /// `uint`, `ulong` and `INFINITY` where the language lacks them.
  std::string prelude;
};

/// An argument of a kernel.
using KernelArgument = std::variant<DeviceMemory, std::int32_t, std::uint64_t, float, double>;

/// c = op(a) * op(b) for each matrix of a batch, all of them row-major; c is [m, n].
/// Offsets and strides are in elements. The leading dimensions are the lengths of the rows as stored.
struct DeviceProduct {
  struct Matrix {
    DeviceMemory memory = nullptr;
    std::size_t offset = 0;
    std::size_t rowLength = 0;
    std::size_t batchStride = 0;
    bool transposed = false;
  };
  bool isDouble = false;
  std::size_t m = 0, n = 0, k = 0, batch = 1;
  Matrix a, b, c;
};

/// Commands are executed in the order of the calls, and no call waits for the device, unless the call fails.
/// One thread at a time calls a driver, except for `properties`, `compile` and `prepareProducts`, which run
/// beside other calls. Errors are thrown as DeviceError. The error of a command that fails after its call is
/// passed to the functions `done` of later calls of `read` and `whenDone`.
class DeviceDriver {
 public:
  DeviceDriver() = default;
  DeviceDriver(const DeviceDriver&) = delete;
  DeviceDriver& operator=(const DeviceDriver&) = delete;
  virtual ~DeviceDriver() = default;

  virtual const DeviceProperties& properties() const noexcept = 0;

  /// Throws DeviceMemoryError if the device does not have that much memory.
  virtual DeviceMemory allocate(std::size_t bytes) = 0;
  virtual void release(DeviceMemory memory) noexcept = 0;

  /// Copies from the host. `owner` keeps the bytes alive until they have been read.
  virtual void write(DeviceMemory to, const void* from, std::size_t bytes,
                     std::shared_ptr<const void> owner) = 0;
  /// Copies to the host, and calls `done` as whenDone does when the bytes have been copied. `owner` keeps the
  /// bytes alive until then.
  virtual void read(void* to, DeviceMemory from, std::size_t bytes, std::shared_ptr<void> owner,
                    std::function<void(std::exception_ptr)> done) = 0;

  /// Compiles the kernel of that name; takes from milliseconds to seconds.
  virtual DeviceKernel compile(const std::string& name, const std::string& source) = 0;
  virtual void launch(DeviceKernel kernel, std::span<const KernelArgument> arguments, std::size_t groups,
                      std::size_t groupSize) = 0;

  /// Compiles what products of that type need; takes up to seconds.
  virtual void prepareProducts(bool isDouble) = 0;
  virtual void multiply(const DeviceProduct& product) = 0;

  /// Calls `done` on another thread when all earlier commands have ended, with the error of the device if a
  /// command has failed.
  virtual void whenDone(std::function<void(std::exception_ptr)> done) = 0;

  /// Frees resources that the driver caches for later commands, such as host memory for copies.
  virtual void trim() noexcept {}
};

}  // namespace tapestry::extend
#pragma GCC visibility pop
