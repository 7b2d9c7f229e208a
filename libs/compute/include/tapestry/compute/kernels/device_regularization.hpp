// Defines DeviceRegularization, the kernels of regularization for device tensors.
#pragma once

#include <cstdint>

#include <tapestry/compute/device_tensor.hpp>
#include <tapestry/tensor/kernels/standardize.hpp>

#pragma GCC visibility push(default)
namespace tapestry {

/// The functions of tapestry/tensor/kernels of the same names.
struct DeviceRegularization {
  /// The same numbers as on the host. The mask takes no memory: each kernel that uses it draws it again.
  /// Throws DeviceError for a constant, which has no device.
  template <class T>
  static DeviceTensor<T> dropoutMaskFor(const DeviceTensor<T>& x, double rate, std::uint64_t seed,
                                        std::uint64_t stream);

  template <class T>
  static DeviceTensor<T> standardize(const DeviceTensor<T>& x,
                                     const kernels::Standardization& standardization);
  template <class T>
  static DeviceTensor<T> standardizeDerivative(const DeviceTensor<T>& delta, const DeviceTensor<T>& x,
                                               const kernels::Standardization& standardization);
};

}  // namespace tapestry
#pragma GCC visibility pop
