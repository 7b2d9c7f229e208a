// Defines DeviceOptimizer, the steps of optimizers for device tensors.
#pragma once

#include <cstdint>
#include <type_traits>

#include <tapestry/compute/device_tensor.hpp>
#include <tapestry/tensor/kernels/optimizer.hpp>

#pragma GCC visibility push(default)
namespace tapestry {

/// The functions of tapestry/tensor/kernels/optimizer.hpp of the same names. A step is one kernel, which
/// stores the weight and the optimizer's moments when the weight is needed, or computed by `compute`.
struct DeviceOptimizer {
  template <class T>
  static DeviceTensor<T> sgdStep(DeviceTensor<T> weight, DeviceTensor<T> gradient,
                                 std::type_identity_t<T> learningRate);
  template <class T>
  static kernels::Momentum<DeviceTensor<T>> momentumStep(DeviceTensor<T> weight, DeviceTensor<T> gradient,
                                                         DeviceTensor<T> velocity,
                                                         std::type_identity_t<T> learningRate,
                                                         std::type_identity_t<T> momentum);
  template <class T>
  static kernels::Adaptive<DeviceTensor<T>> adaptiveStep(
      DeviceTensor<T> weight, DeviceTensor<T> gradient, DeviceTensor<T> squares,
      const kernels::AdaptiveParameters<std::type_identity_t<T>>& parameters);
  template <class T>
  static kernels::Adam<DeviceTensor<T>> adamStep(
      DeviceTensor<T> weight, DeviceTensor<T> gradient, DeviceTensor<T> firstMoment,
      DeviceTensor<T> secondMoment, const kernels::AdamParameters<std::type_identity_t<T>>& parameters,
      std::uint64_t t);
};

}  // namespace tapestry
#pragma GCC visibility pop
