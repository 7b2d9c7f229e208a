// Defines constantTensor, storedTensor, storedOn and computedBy, by which kernels take and make tensors.
#pragma once

#include <concepts>
#include <memory>
#include <utility>
#include <vector>

#include <tapestry/compute/device_tensor.hpp>

#include "build.hpp"
#include "kernel/fixed.hpp"
#include "kernel/store.hpp"

namespace tapestry::detail {

template <class T>
DeviceTensor<T> constantTensor(const Shape& shape, T value, std::shared_ptr<DeviceState> device) {
  return DeviceTensor<T>(
      DeviceExpression::constantOf(std::same_as<T, double>, shape, value, std::move(device)));
}

template <class T>
DeviceTensor<T> storedTensor(const Shape& shape, BufferRef buffer, std::shared_ptr<DeviceState> device) {
  return DeviceTensor<T>(
      DeviceExpression::storedIn(std::same_as<T, double>, shape, std::move(buffer), std::move(device)));
}

/// Returns the buffer of x, which is computed first; under the device's lock.
template <class T>
BufferRef storedOn(const DeviceTensor<T>& x, const std::shared_ptr<DeviceState>& device) {
  const ExpressionRef own = onDevice(x.expression(), device);
  storeLocked(*own);
  return own->buffer;
}

/// Returns the result of a kernel that has one work-item for each element; under the device's lock.
template <class T>
DeviceTensor<T> computedBy(const FixedKernel& kernel, const std::vector<BufferRef>& reads,
                           const std::vector<std::size_t>& numbers, const Shape& shape,
                           const std::shared_ptr<DeviceState>& device) {
  auto result = std::make_shared<DeviceBuffer>(device, shape.size() * sizeof(T));
  launchFixed(*device, kernel, std::same_as<T, double>, reads, {result}, numbers, shape.size());
  return storedTensor<T>(shape, std::move(result), device);
}

}  // namespace tapestry::detail
