// Defines DeviceError, what a device or its driver could not do.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#pragma GCC visibility push(default)
namespace tapestry {

/// The message reads `tapestry::DEVICE: OPERATION: PROBLEM`. An error of a kernel has its name in the
/// message, and its source.
class DeviceError : public std::runtime_error {
 public:
  explicit DeviceError(const std::string& message, std::string source = {})
      : std::runtime_error(message), source_(std::move(source)) {}

  /// The source of the kernel, empty unless the error is one of a kernel.
  const std::string& kernelSource() const noexcept { return source_; }

 private:
  std::string source_;
};

/// A buffer that exceeds the device's memory, or the limit that DeviceOptions sets.
class DeviceMemoryError : public DeviceError {
 public:
  using DeviceError::DeviceError;
};

}  // namespace tapestry
#pragma GCC visibility pop
