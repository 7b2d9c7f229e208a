// Defines DeviceProduct, the matrix products of device tensors.
#pragma once

#include <string_view>

#include <tapestry/compute/device_tensor.hpp>
#include <tapestry/compute/kernels/device_elementwise.hpp>
#include <tapestry/tensor/kernels/matmul.hpp>

#pragma GCC visibility push(default)
namespace tapestry {

/// The functions of tapestry/tensor/kernels/matmul.hpp of the same names, by the device's library: CLBlast or
/// cuBLAS. The operands are computed, and the product is enqueued, at the call. A matrix that is the
/// transpose of a stored one is read in place.
struct DeviceProduct {
  template <class T>
  static DeviceTensor<T> matmul(const DeviceTensor<T>& a, kernels::Transpose transposeA,
                                const DeviceTensor<T>& b, kernels::Transpose transposeB);
  /// a · b + c; the sum is part of the next kernel.
  template <class T>
  static DeviceTensor<T> affine(const DeviceTensor<T>& a, const DeviceTensor<T>& b, const DeviceTensor<T>& c,
                                std::string_view operation);
};

}  // namespace tapestry
#pragma GCC visibility pop
