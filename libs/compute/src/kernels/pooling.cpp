#include <tapestry/compute/kernels/device_pooling.hpp>

#include <array>
#include <utility>
#include <vector>

#include <tapestry/tensor/shape_error.hpp>

#include "kernel/window_source.hpp"
#include "kernels/tensors.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace {

using detail::BufferRef;
using kernels::Pooling;

/// The shapes of a pooling, and its windows.
struct PooledWindows {
  PooledWindows(std::string_view name, const Shape& from, const Pooling& pooling)
      : operation(name), x(from), y(pooling.shapeOf(name, from)) {
    const HeightWidth stride(pooling.stride.height == 0 ? pooling.window.height : pooling.stride.height,
                             pooling.stride.width == 0 ? pooling.window.width : pooling.stride.width);
    const std::size_t line = x.rank() - 2, column = x.rank() - 1;
    windows = {{x[line], x[column]}, pooling.window, {y[line], y[column]}, stride, pooling.padding, 1};
    detail::requireCountable({x[line] + 2 * pooling.padding.height, x[column] + 2 * pooling.padding.width},
                             name);
    detail::requireCountable(y, name);
  }

  void requireDelta(const Shape& delta) const {
    if (delta != y) throw ShapeError(operation, "a delta of the wrong shape", toString(delta), toString(y));
  }

  std::string_view operation;
  Shape x, y;
  detail::Windows windows = {0, 0, 0, 0, 0, 0};
};

/// The result, of the shape, of a kernel that reads one tensor.
template <class T>
DeviceTensor<T> pooled(const PooledWindows& of, const detail::FixedKernel& kernel,
                       const DeviceTensor<T>& from, const Shape& shape) {
  const auto device = detail::requiredDevice(of.operation, std::array{from.expression()});
  if (shape.size() == 0) return detail::constantTensor<T>(shape, 0, device);
  const detail::DeviceState::Lock lock(device->mutex());
  return detail::computedBy<T>(kernel, {detail::storedOn(from, device)}, of.windows.after(), shape, device);
}

}  // namespace

template <class T>
DeviceTensor<T> DevicePooling::maxPool(const DeviceTensor<T>& x, const Pooling& pooling) {
  const PooledWindows of("maxPool2d", x.shape(), pooling);
  return pooled(of, {"max_pool", detail::maxPoolSource}, x, of.y);
}

template <class T>
DeviceTensor<T> DevicePooling::maxPoolDerivative(const DeviceTensor<T>& delta, const DeviceTensor<T>& x,
                                                 const Pooling& pooling) {
  const PooledWindows of("maxPool2d", x.shape(), pooling);
  of.requireDelta(delta.shape());
  const auto device = detail::requiredDevice("maxPool2d", std::array{delta.expression(), x.expression()});
  if (x.size() == 0) return detail::constantTensor<T>(x.shape(), 0, device);
  const detail::DeviceState::Lock lock(device->mutex());
  const BufferRef from = detail::storedOn(x, device), shared = detail::storedOn(delta, device);
  const auto most = std::make_shared<detail::DeviceBuffer>(device, of.y.size() * sizeof(T));
  const auto share = std::make_shared<detail::DeviceBuffer>(device, of.y.size() * sizeof(T));
  const auto numbers = of.windows.after();
  detail::launchFixed(*device, {"max_share", detail::maxShareSource}, std::same_as<T, double>, {from, shared},
                      {most, share}, numbers, of.y.size());
  return detail::computedBy<T>({"max_spread", detail::maxSpreadSource}, {from, most, share}, numbers,
                               x.shape(), device);
}

template <class T>
DeviceTensor<T> DevicePooling::avgPool(const DeviceTensor<T>& x, const Pooling& pooling) {
  const PooledWindows of("avgPool2d", x.shape(), pooling);
  return pooled(of, {"avg_pool", detail::avgPoolSource}, x, of.y);
}

template <class T>
DeviceTensor<T> DevicePooling::avgPoolDerivative(const DeviceTensor<T>& delta, const Shape& x,
                                                 const Pooling& pooling) {
  const PooledWindows of("avgPool2d", x, pooling);
  of.requireDelta(delta.shape());
  return pooled(of, {"avg_spread", detail::avgSpreadSource}, delta, x);
}

#define TAPESTRY_INSTANTIATE(T)                                                                             \
  template DeviceTensor<T> DevicePooling::maxPool(const DeviceTensor<T>&, const Pooling&);                  \
  template DeviceTensor<T> DevicePooling::maxPoolDerivative(const DeviceTensor<T>&, const DeviceTensor<T>&, \
                                                            const Pooling&);                                \
  template DeviceTensor<T> DevicePooling::avgPool(const DeviceTensor<T>&, const Pooling&);                  \
  template DeviceTensor<T> DevicePooling::avgPoolDerivative(const DeviceTensor<T>&, const Shape&,           \
                                                            const Pooling&);
TAPESTRY_INSTANTIATE(float)
TAPESTRY_INSTANTIATE(double)
#undef TAPESTRY_INSTANTIATE

}  // namespace tapestry
#pragma GCC visibility pop
