#include <tapestry/compute/kernels/device_regularization.hpp>

#include <concepts>

#include <tapestry/compute/device_error.hpp>
#include <tapestry/compute/kernels/device_elementwise.hpp>
#include <tapestry/compute/kernels/device_reduction.hpp>
#include <tapestry/tensor/kernels/dropout_mask.hpp>

#include "build.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace {

using E = DeviceElementwise;

/// The distance of each element from the mean, and 1 / sqrt(variance + epsilon).
template <class T>
struct Standardized {
  Standardized(const DeviceTensor<T>& x, const kernels::Standardization& standardization) {
    const Axes& axes = standardization.axes;
    static_cast<void>(axes.resolve(x.shape(), "layerNorm"));
    distance = E::subtract(x, DeviceReduction::mean(x, axes, true));
    const DeviceTensor<T> variance = DeviceReduction::mean(E::multiply(distance, distance), axes, true);
    scale = E::divide(T(1), E::sqrt(E::add(variance, static_cast<T>(standardization.epsilon))));
  }

  DeviceTensor<T> distance, scale;
};

}  // namespace

template <class T>
DeviceTensor<T> DeviceRegularization::dropoutMaskFor(const DeviceTensor<T>& x, double rate,
                                                     std::uint64_t seed, std::uint64_t stream) {
  if (!x.expression()->device)
    throw DeviceError("tapestry::dropout: the operand is a constant, expected a tensor of a device");
  const auto draws = kernels::DropoutDraws::of(rate, seed, stream);
  return DeviceTensor<T>(detail::dropped(std::same_as<T, double>, x.shape(), draws.key, draws.threshold,
                                         static_cast<T>(draws.kept), x.expression()->device));
}

template <class T>
DeviceTensor<T> DeviceRegularization::standardize(const DeviceTensor<T>& x,
                                                  const kernels::Standardization& standardization) {
  const Standardized<T> result(x, standardization);
  return E::multiply(result.distance, result.scale);
}

template <class T>
DeviceTensor<T> DeviceRegularization::standardizeDerivative(const DeviceTensor<T>& delta,
                                                            const DeviceTensor<T>& x,
                                                            const kernels::Standardization& standardization) {
  const Axes& axes = standardization.axes;
  const Standardized<T> of(x, standardization);
  const DeviceTensor<T> y = E::multiply(of.distance, of.scale);
  const DeviceTensor<T> mean = DeviceReduction::mean(delta, axes, true);
  const DeviceTensor<T> share = DeviceReduction::mean(E::multiply(delta, y), axes, true);
  return E::multiply(E::subtract(E::subtract(delta, mean), E::multiply(y, share)), of.scale);
}

#define TAPESTRY_INSTANTIATE(T)                                                                 \
  template DeviceTensor<T> DeviceRegularization::dropoutMaskFor(const DeviceTensor<T>&, double, \
                                                                std::uint64_t, std::uint64_t);  \
  template DeviceTensor<T> DeviceRegularization::standardize(const DeviceTensor<T>&,            \
                                                             const kernels::Standardization&);  \
  template DeviceTensor<T> DeviceRegularization::standardizeDerivative(                         \
      const DeviceTensor<T>&, const DeviceTensor<T>&, const kernels::Standardization&);
TAPESTRY_INSTANTIATE(float)
TAPESTRY_INSTANTIATE(double)
#undef TAPESTRY_INSTANTIATE

}  // namespace tapestry
#pragma GCC visibility pop
