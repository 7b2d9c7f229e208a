// Defines constantTensor, storedTensor and storedOn, by which kernels take and make tensors.
#pragma once

#include <concepts>
#include <memory>
#include <utility>

#include <tapestry/compute/device_tensor.hpp>

#include "build.hpp"
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

}  // namespace tapestry::detail
