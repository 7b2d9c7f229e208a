// Defines DevicePooling, the maximum and the mean of windows for device tensors.
#pragma once

#include <tapestry/compute/device_tensor.hpp>
#include <tapestry/tensor/kernels/pooling.hpp>

#pragma GCC visibility push(default)
namespace tapestry {

/// The functions of tapestry/tensor/kernels/pooling.hpp of the same names, each of which enqueues one kernel
/// at the call, maxPoolDerivative two. They throw ShapeError as those of the host do, and DeviceError for
/// operands that are all constants without a device.
struct DevicePooling {
  template <class T>
  static DeviceTensor<T> maxPool(const DeviceTensor<T>& x, const kernels::Pooling& pooling);
  template <class T>
  static DeviceTensor<T> maxPoolDerivative(const DeviceTensor<T>& delta, const DeviceTensor<T>& x,
                                           const kernels::Pooling& pooling);
  template <class T>
  static DeviceTensor<T> avgPool(const DeviceTensor<T>& x, const kernels::Pooling& pooling);
  template <class T>
  static DeviceTensor<T> avgPoolDerivative(const DeviceTensor<T>& delta, const Shape& x,
                                           const kernels::Pooling& pooling);
};

}  // namespace tapestry
#pragma GCC visibility pop
