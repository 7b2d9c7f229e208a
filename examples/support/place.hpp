// Defines HostPlace and DevicePlace, where the tensors of a network are, and withPlace, which chooses between
// them at run time.
#pragma once

#include <string>
#include <tapestry/deeplearning.hpp>
#include <tapestry/raii.hpp>
#include <tapestry/tensor/tensor.hpp>
#include <type_traits>
#include <utility>

#if TAPESTRY_HAS_COMPUTE
#include <tapestry/compute/kernels/device_kernels.hpp>
#endif

#include "support/input_error.hpp"

namespace tapestry::examples {

/// Tensors of the host.
class HostPlace {
 public:
  using Values = Tensor<float>;
  using Number = double;  ///< a sum of elements

  Values operator()(Tensor<float> x) const { return x; }

  static Do<Tensor<float>> fetch(const Tensor<float>& x) { return Do<Tensor<float>>::now(x); }
  static Do<double> fetchNumber(double x) { return Do<double>::now(x); }

  /// Calls function(first > second), whose result is a layer.
  template <class F>
  static auto whether(double first, double second, const F& function) {
    return function(first > second);
  }
};

#if TAPESTRY_HAS_COMPUTE
/// Tensors of a device.
class DevicePlace {
 public:
  using Values = DeviceTensor<float>;
  using Number = DeviceTensor<float>;  ///< of rank 0

  explicit DevicePlace(Device device) : device_(std::move(device)) {}

  Values operator()(const Tensor<float>& x) const { return Values(device_, x); }

  static Do<Tensor<float>> fetch(const Values& x) { return x.toHost(); }
  static Do<double> fetchNumber(const Values& x) {
    return x.toHost().map([](const Tensor<float>& host) { return static_cast<double>(host.item()); });
  }

  /// The layer function(first > second), which awaits both numbers without a thread that waits.
  template <class F>
  static auto whether(const Number& first, const Number& second, const F& function) {
    using Result = std::invoke_result_t<const F&, bool>;
    const auto difference = fetchNumber(kernels::subtract(first, second));
    return Result(difference.flatMap([function](double value) { return forward(function(value > 0)); }));
  }

 private:
  Device device_;
};

/// Throws InputError if there is no device of that name.
inline Device opened(const std::string& name) {
  try {
    return Device::open(name);
  } catch (const DeviceError& error) {
    throw InputError("--device", error.what());
  }
}
#endif

/// Calls the function with the place of that name: `cpu`, or the name of a device, such as `opencl:0`.
template <class F>
void withPlace(const std::string& device, const F& function) {
  if (device == "cpu") return function(HostPlace());
#if TAPESTRY_HAS_COMPUTE
  function(DevicePlace(opened(device)));
#else
  throw InputError("--device", "there is no device '" + device + "' without libs/compute, expected cpu");
#endif
}

}  // namespace tapestry::examples
