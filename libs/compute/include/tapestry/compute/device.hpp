// Defines Device, a handle on a GPU or another device that computes, and devices, the list of available
// devices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tapestry/compute/device_error.hpp>
#include <tapestry/compute/extend/device_driver.hpp>
#include <tapestry/raii/do.hpp>

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

class DeviceState;

}  // namespace detail

struct DeviceOptions {
  /// The most bytes that buffers may take, including recycled buffers; 0 means 0.9 of the memory. The memory
  /// of the host through which CUDA copies is not counted; Device::trim frees it.
  std::uint64_t memoryLimit = 0;
  /// Whether expressions become one kernel; else each operation is computed at once by its own kernel, which
  /// is for comparisons.
  bool fuse = true;
};

/// What a device has done since it was opened, and what it holds now.
struct DeviceCounts {
  std::uint64_t kernels = 0;   ///< launches
  std::uint64_t compiled = 0;  ///< kernels that were compiled
  std::uint64_t products = 0;
  std::uint64_t uploads = 0;
  std::uint64_t downloads = 0;
  std::uint64_t buffers = 0;        ///< that are in use now
  std::uint64_t bytes = 0;          ///< of these
  std::uint64_t recycledBytes = 0;  ///< of buffers that wait for their next use
};

/// An opened device. Handles are copied in O(1), and usable from several threads at once; tensors of the
/// device hold one too. The device is closed with the last handle, which waits for the commands of a device
/// of CUDA. A program that has enqueued something should `finish` before it exits, since a compiler may run
/// in the background.
class Device {
 public:
  /// Opens a device by its name: `opencl`, `opencl:1`, `cuda`, `cuda:0`. Throws DeviceError, which lists the
  /// available devices, if there is none of that name.
  static Device open(std::string_view name, const DeviceOptions& options = {});
  /// Opens a device of a user-defined driver.
  Device(std::string name, std::unique_ptr<extend::DeviceDriver> driver, const DeviceOptions& options = {});

  explicit Device(std::shared_ptr<detail::DeviceState> state) noexcept : state_(std::move(state)) {}

  const std::string& name() const noexcept;
  const extend::DeviceProperties& properties() const noexcept;

  /// Completes when all commands that were enqueued before have ended; fails with the error of a device that
  /// is lost.
  [[nodiscard("a program does nothing until it is run")]] Do<void> finish() const;

  DeviceCounts counts() const;

  /// Returns the memory of recycled buffers to the driver, and the host memory that the driver uses for
  /// copies to the system.
  void trim() const;

  friend bool operator==(const Device& a, const Device& b) noexcept = default;

  const std::shared_ptr<detail::DeviceState>& state() const noexcept { return state_; }

 private:
  std::shared_ptr<detail::DeviceState> state_;
};

/// An available device, by the name that opens it.
struct DeviceEntry {
  std::string name;
  std::string description;
};

/// Lists all devices of all back ends. A back end whose library is missing has none.
std::vector<DeviceEntry> devices();

}  // namespace tapestry
#pragma GCC visibility pop
