#include <tapestry/compute/kernels/device_regularization.hpp>

#include <cmath>
#include <concepts>

#include <tapestry/compute/device_error.hpp>
#include <tapestry/tensor/split_mix.hpp>

#include "build.hpp"

namespace tapestry {

template <class T>
DeviceTensor<T> DeviceRegularization::dropoutMaskFor(const DeviceTensor<T>& x, double rate,
                                                     std::uint64_t seed, std::uint64_t stream) {
  if (!x.expression()->device)
    throw DeviceError("tapestry::dropout: the operand is a constant, expected a tensor of a device");
  const std::uint64_t key = splitMix(splitMix(seed, 0), stream);
  const auto threshold = static_cast<std::uint64_t>(std::ceil(std::ldexp(rate, 32)));
  const T kept = static_cast<T>(1 / (1 - rate));
  return DeviceTensor<T>(
      detail::dropped(std::same_as<T, double>, x.shape(), key, threshold, kept, x.expression()->device));
}

template DeviceTensor<float> DeviceRegularization::dropoutMaskFor(const DeviceTensor<float>&, double,
                                                                  std::uint64_t, std::uint64_t);
template DeviceTensor<double> DeviceRegularization::dropoutMaskFor(const DeviceTensor<double>&, double,
                                                                   std::uint64_t, std::uint64_t);

}  // namespace tapestry
