// Defines DeviceReduction, the reductions of device tensors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <tapestry/compute/device_tensor.hpp>
#include <tapestry/tensor/axes.hpp>
#include <tapestry/tensor/indices.hpp>
#include <tapestry/tensor/kernels/attention.hpp>
#include <tapestry/tensor/kernels/softmax.hpp>

#pragma GCC visibility push(default)
namespace tapestry {

/// The functions of tapestry/tensor/kernels of the same names. A reduction is an expression too; its operand
/// is computed by the reduction's own kernel, and a large one takes two or three. The sum of all elements is
/// a tensor of rank 0, not a number, which would have to be waited for.
struct DeviceReduction {
  template <class T>
  static DeviceTensor<T> sum(DeviceTensor<T> x, const Axes& axes, bool keepDims = false);
  template <class T>
  static DeviceTensor<T> mean(DeviceTensor<T> x, const Axes& axes, bool keepDims = false);
  /// ShapeError, naming the operation, if there are no elements to choose from.
  template <class T>
  static DeviceTensor<T> max(DeviceTensor<T> x, const Axes& axes, bool keepDims = false,
                             std::string_view operation = "max");
  template <class T>
  static DeviceTensor<T> maxDerivative(const DeviceTensor<T>& delta, const DeviceTensor<T>& x,
                                       const Axes& axes);
  /// The index along the axis of the first of the largest elements, or of the first NaN, which is computed on
  /// the device, and copied to the host when the program is run. ShapeError for an axis out of range, and for
  /// an extent of 0 or of more than 2^24, whose indices are no float.
  template <class T>
  [[nodiscard("a program does nothing until it is run")]] static Do<Indices> argmax(const DeviceTensor<T>& x,
                                                                                    std::ptrdiff_t axis,
                                                                                    bool keepDims = false);

  template <class T>
  static DeviceTensor<T> broadcastTo(const DeviceTensor<T>& x, const Shape& shape) {
    return x.broadcastTo(shape);
  }
  template <class T>
  static DeviceTensor<T> sumTo(const DeviceTensor<T>& x, const Shape& shape);

  /// The labels are copied to the device, once for all calls whose labels have the same attachments.
  /// ShapeError for more than 2^24 classes of float logits, since a float cannot count further.
  template <class T>
  static DeviceTensor<T> crossEntropyRows(const DeviceTensor<T>& logits, const kernels::Labels& labels);
  template <class T>
  static DeviceTensor<T> crossEntropyRowsDerivative(const DeviceTensor<T>& delta,
                                                    const DeviceTensor<T>& logits,
                                                    const kernels::Labels& labels);

  /// Throws DeviceError for constant scores that are causal, which have no device.
  template <class T>
  static DeviceTensor<T> attentionWeights(const DeviceTensor<T>& scores, const kernels::Attention& attention);
};

}  // namespace tapestry
#pragma GCC visibility pop
