// Defines Completions, which calls functions when commands of an OpenCL device have ended.
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "opencl/driver.hpp"

namespace tapestry::detail {

/// The calls when copies and markers of a device have ended, and the first error of these. A kernel has no
/// completion: its error is known only on a platform that then fails the copies and markers that follow.
class Completions {
 public:
  using Done = std::function<void(std::exception_ptr)>;

  explicit Completions(std::string device) : device_(std::move(device)) {}

  /// Calls `done` on a thread of OpenCL when the command has ended, with the first error of the device, a
  /// DeviceError. `done` must not wait for the device. Throws cl::Error once the command has ended.
  void call(cl::Event& event, Done done) const;

  /// The same on another thread, where `done` may wait for the device.
  void callBeside(cl::Event& event, Done done) const;

 private:
  /// CL_SUCCESS as long as there is none. Each completion owns it too, since a command may end after its
  /// driver.
  using FirstError = std::shared_ptr<std::atomic<cl_int>>;
  struct Completion;

  static void CL_CALLBACK onComplete(cl_event event, cl_int status, void* completion);

  const std::string device_;
  const FirstError first_ = std::make_shared<std::atomic<cl_int>>(CL_SUCCESS);
};

}  // namespace tapestry::detail
