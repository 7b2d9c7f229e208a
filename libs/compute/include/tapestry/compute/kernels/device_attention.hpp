// Defines DeviceAttention, the kernels of attention for device tensors.
#pragma once

#include <tapestry/compute/device_tensor.hpp>
#include <tapestry/tensor/kernels/attention.hpp>

#pragma GCC visibility push(default)
namespace tapestry {

/// The functions of tapestry/tensor/kernels/attention.hpp of the same names, by the device's products and
/// reductions.
struct DeviceAttention {
  template <class T>
  static DeviceTensor<T> attentionScores(const DeviceTensor<T>& q, const DeviceTensor<T>& k);
  template <class T>
  static DeviceTensor<T> attentionScoresDerivativeLeft(const DeviceTensor<T>& delta,
                                                       const DeviceTensor<T>& k);
  template <class T>
  static DeviceTensor<T> attentionScoresDerivativeRight(const DeviceTensor<T>& delta,
                                                        const DeviceTensor<T>& q);
  /// Throws DeviceError for constant scores that are causal, which have no device.
  template <class T>
  static DeviceTensor<T> attentionWeights(const DeviceTensor<T>& scores, const kernels::Attention& attention);
  template <class T>
  static DeviceTensor<T> attentionWeightsDerivative(const DeviceTensor<T>& delta,
                                                    const DeviceTensor<T>& weights);
};

}  // namespace tapestry
#pragma GCC visibility pop
