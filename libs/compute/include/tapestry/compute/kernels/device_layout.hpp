// Defines DeviceLayout, the kernels that move elements of device tensors.
#pragma once

#include <cstddef>
#include <type_traits>
#include <vector>

#include <tapestry/compute/device_tensor.hpp>
#include <tapestry/tensor/indices.hpp>
#include <tapestry/tensor/kernels/view.hpp>

#pragma GCC visibility push(default)
namespace tapestry {

/// The functions of tapestry/tensor/kernels of the same names. The results of `read` and `gather` are
/// expressions. Unless their result is a constant, `spread`, `concat` and `scatter` enqueue their kernels at
/// the call, and throw DeviceError for operands that are all constants without a device. `scatter` stores its
/// operand. `spread` and `concat` do not store an elementwise operand whose only handle is the given one, so
/// that another use of this handle computes the operand again.
struct DeviceLayout {
  /// A constant of x's shape and device.
  template <class T>
  static DeviceTensor<T> filledLike(const DeviceTensor<T>& x, std::type_identity_t<T> value);

  template <class T>
  static DeviceTensor<T> read(const DeviceTensor<T>& x, const kernels::View& view);
  template <class T>
  static DeviceTensor<T> spread(const DeviceTensor<T>& x, const kernels::View& view, const Shape& shape,
                                std::type_identity_t<T> around = 0);
  template <class T>
  static DeviceTensor<T> concat(const std::vector<DeviceTensor<T>>& parts, std::ptrdiff_t axis);

  /// The indices are copied to the device once for all copies of the Indices object, and stay there for as
  /// long as it exists.
  template <class T>
  static DeviceTensor<T> gather(const DeviceTensor<T>& x, const Indices& indices, std::ptrdiff_t axis);
  /// Adds up the elements of one place in the order of the indices, as the host does. The data that the
  /// device needs about the indices are copied as for gather. One work-item computes each element of the
  /// result, so a row of very many indices takes long.
  template <class T>
  static DeviceTensor<T> scatter(const DeviceTensor<T>& x, const Indices& indices, std::ptrdiff_t axis,
                                 std::size_t extent);
};

}  // namespace tapestry
#pragma GCC visibility pop
