// Defines DeviceConvolution, the convolutions of device tensors.
#pragma once

#include <tapestry/compute/device_tensor.hpp>
#include <tapestry/tensor/kernels/convolution.hpp>

#pragma GCC visibility push(default)
namespace tapestry {

/// The functions of tapestry/tensor/kernels/convolution.hpp of the same names. A kernel writes the elements
/// under the filters as the columns of a matrix, and the device's product multiplies it with the filters. The
/// matrix has KH * KW times the elements of the images where the stride is 1; a batch whose matrix would take
/// more than an eighth of the memory that the device may use, or than its largest buffer, is convolved in
/// parts. The kernels and products are enqueued at the call. They throw ShapeError as those of the host do,
/// and DeviceError for operands that are all constants without a device.
struct DeviceConvolution {
  /// The result is a view of the product, whose axes it permutes: the next kernel reads it in place.
  template <class T>
  static DeviceTensor<T> convolve(const DeviceTensor<T>& x, const DeviceTensor<T>& w,
                                  const kernels::Convolution& convolution);
  template <class T>
  static DeviceTensor<T> convolveDerivativeLeft(const DeviceTensor<T>& delta, const Shape& x,
                                                const DeviceTensor<T>& w,
                                                const kernels::Convolution& convolution);
  template <class T>
  static DeviceTensor<T> convolveDerivativeRight(const DeviceTensor<T>& delta, const DeviceTensor<T>& x,
                                                 const Shape& w, const kernels::Convolution& convolution);
};

}  // namespace tapestry
#pragma GCC visibility pop
