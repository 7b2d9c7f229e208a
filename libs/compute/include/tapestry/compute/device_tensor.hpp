// Defines DeviceTensor<T>, an immutable handle on an array of float or double of a device.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include <tapestry/compute/device.hpp>
#include <tapestry/raii/do.hpp>
#include <tapestry/tensor/slice.hpp>
#include <tapestry/tensor/tensor.hpp>

#pragma GCC visibility push(default)
namespace tapestry {

struct DeviceKernels;

namespace detail {

struct DeviceExpression;

}  // namespace detail

/// A value that is stored on a device, or an expression of such values, which is computed when it is needed:
/// by a product, by a reduction, or for the host. What is needed then is computed by one kernel, together
/// with all parts of the expression that other handles still refer to, so that nothing is computed twice. A
/// kernel is compiled once for a structure of expressions, whatever their shapes, on a thread for blocking
/// calls.
///
/// Handles are copied in O(1), and may be used by several threads at once; one handle belongs to one thread
/// at a time. An operation enqueues its kernels and returns. The functions throw ShapeError as those of
/// Tensor do, and DeviceError. A tensor has at most 2^31 - 1 elements.
template <class T>
class DeviceTensor {
  static_assert(std::same_as<T, float> || std::same_as<T, double>, "a device tensor holds float or double");

 public:
  using Value = T;
  /// The kernels that the functions of tapestry/tensor/kernels, and the operations of networks, call for
  /// device tensors; defined in <tapestry/compute/kernels/device_kernels.hpp>.
  using Kernels = DeviceKernels;

  /// The scalar 0, a constant that belongs to no device.
  DeviceTensor();

  /// Copies the tensor to the device, in the order of the device's commands.
  DeviceTensor(const Device& device, const Tensor<T>& host);

  /// A constant, which is part of the kernels that use it, and belongs to no device.
  static DeviceTensor full(const Shape& shape, T value);
  static DeviceTensor scalar(T value) { return full({}, value); }
  static DeviceTensor zeros(const Shape& shape) { return full(shape, T{0}); }

  /// Independent numbers in [0, 1), which depend only on the seed and the element's index: splitMix of both,
  /// as on the host.
  static DeviceTensor random(const Device& device, const Shape& shape, std::uint64_t seed);

  const Shape& shape() const noexcept;
  std::size_t rank() const noexcept { return shape().rank(); }
  std::size_t size() const noexcept { return shape().size(); }

  /// The device, or none for a constant that was not made of a tensor of a device.
  std::optional<Device> device() const;

  /// Yields the values, once the device has computed and copied them; no thread waits. A request to stop ends
  /// the wait. Fails with the error of any command that the values depend on.
  [[nodiscard("a program does nothing until it is run")]] Do<Tensor<T>> toHost() const;

  /// Enqueues the kernels that compute the value now, unless that has happened.
  const DeviceTensor& compute() const;

  /// Computes the value, and completes when all kernels of the computation have been compiled and the driver
  /// has all its commands; fails with the error of a command that has failed. `train` awaits it before a
  /// weight changes.
  [[nodiscard("a program does nothing until it is run")]] Do<void> issued() const;

  [[nodiscard("a tensor keeps its own shape")]] DeviceTensor reshape(const Shape& shape) const;
  /// The axes in another order; negative axes count from the last.
  [[nodiscard("a tensor keeps its own shape")]] DeviceTensor permute(
      std::span<const std::ptrdiff_t> axes) const;
  [[nodiscard("a tensor keeps its own shape")]] DeviceTensor permute(
      std::initializer_list<std::ptrdiff_t> axes) const {
    return permute(std::span(axes.begin(), axes.size()));
  }
  /// Slices of the leading axes, one for each axis, and all of the others.
  [[nodiscard("a tensor keeps its own shape")]] DeviceTensor slice(std::span<const Slice> slices) const;
  [[nodiscard("a tensor keeps its own shape")]] DeviceTensor slice(
      std::initializer_list<Slice> slices) const {
    return slice(std::span(slices.begin(), slices.size()));
  }
  [[nodiscard("a tensor keeps its own shape")]] DeviceTensor broadcastTo(const Shape& shape) const;

  using Expression = std::shared_ptr<detail::DeviceExpression>;
  explicit DeviceTensor(Expression expression) noexcept : expression_(std::move(expression)) {}
  const Expression& expression() const& noexcept { return expression_; }
  Expression expression() && noexcept { return std::move(expression_); }

 private:
  Expression expression_;
};

extern template class DeviceTensor<float>;
extern template class DeviceTensor<double>;

}  // namespace tapestry
#pragma GCC visibility pop
