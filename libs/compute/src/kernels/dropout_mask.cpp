#include <tapestry/compute/kernels/device_elementwise.hpp>

#include <concepts>

#include <tapestry/compute/device_error.hpp>
#include <tapestry/tensor/kernels/dropout_mask.hpp>

#include "build.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

template <class T>
DeviceTensor<T> DeviceElementwise::dropoutMaskFor(const DeviceTensor<T>& x, double rate, std::uint64_t seed,
                                                  std::uint64_t stream) {
  if (!x.expression()->device)
    throw DeviceError("tapestry::dropout: the operand is a constant, expected a tensor of a device");
  const auto draws = kernels::DropoutDraws::of(rate, seed, stream);
  return DeviceTensor<T>(detail::dropped(std::same_as<T, double>, x.shape(), draws.key, draws.threshold,
                                         static_cast<T>(draws.kept), x.expression()->device));
}

template DeviceTensor<float> DeviceElementwise::dropoutMaskFor(const DeviceTensor<float>&, double,
                                                               std::uint64_t, std::uint64_t);
template DeviceTensor<double> DeviceElementwise::dropoutMaskFor(const DeviceTensor<double>&, double,
                                                                std::uint64_t, std::uint64_t);

}  // namespace tapestry
#pragma GCC visibility pop
