// Defines DeviceElementwise, the elementwise kernels of device tensors.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include <tapestry/compute/device_tensor.hpp>

#pragma GCC visibility push(default)
namespace tapestry {

/// The functions of tapestry/tensor/kernels of the same names, as expressions: each returns at once. Operands
/// broadcast as in NumPy, else ShapeError names the function and both shapes.
struct DeviceElementwise {
#define TAPESTRY_DECLARE(name) \
  template <class T>           \
  static DeviceTensor<T> name(DeviceTensor<T> x);
  TAPESTRY_DECLARE(negate)
  TAPESTRY_DECLARE(abs)
  TAPESTRY_DECLARE(sign)
  TAPESTRY_DECLARE(sqrt)
  TAPESTRY_DECLARE(exp)
  TAPESTRY_DECLARE(expm1)
  TAPESTRY_DECLARE(log)
  TAPESTRY_DECLARE(log1p)
  TAPESTRY_DECLARE(sin)
  TAPESTRY_DECLARE(cos)
  TAPESTRY_DECLARE(relu)
  TAPESTRY_DECLARE(tanh)
  TAPESTRY_DECLARE(softplus)
  TAPESTRY_DECLARE(sigmoid)
  TAPESTRY_DECLARE(silu)
  TAPESTRY_DECLARE(gelu)
#undef TAPESTRY_DECLARE

#define TAPESTRY_DECLARE(name)                                                \
  template <class T>                                                          \
  static DeviceTensor<T> name(DeviceTensor<T> a, DeviceTensor<T> b);          \
  template <class T>                                                          \
  static DeviceTensor<T> name(DeviceTensor<T> a, std::type_identity_t<T> b) { \
    return name(std::move(a), DeviceTensor<T>::scalar(b));                    \
  }                                                                           \
  template <class T>                                                          \
  static DeviceTensor<T> name(std::type_identity_t<T> a, DeviceTensor<T> b) { \
    return name(DeviceTensor<T>::scalar(a), std::move(b));                    \
  }
  TAPESTRY_DECLARE(add)
  TAPESTRY_DECLARE(subtract)
  TAPESTRY_DECLARE(multiply)
  TAPESTRY_DECLARE(divide)
  TAPESTRY_DECLARE(maximum)
  TAPESTRY_DECLARE(minimum)
  TAPESTRY_DECLARE(where)
  TAPESTRY_DECLARE(unless)
  TAPESTRY_DECLARE(power)
  TAPESTRY_DECLARE(greater)
  TAPESTRY_DECLARE(greaterEqual)
  TAPESTRY_DECLARE(less)
  TAPESTRY_DECLARE(lessEqual)
  TAPESTRY_DECLARE(equal)
  TAPESTRY_DECLARE(notEqual)
  TAPESTRY_DECLARE(leakyRelu)
  TAPESTRY_DECLARE(elu)

  // The derivatives: of the delta and the operand, or the output.
  TAPESTRY_DECLARE(reluDerivative)
  TAPESTRY_DECLARE(tanhDerivative)
  TAPESTRY_DECLARE(sigmoidDerivative)
  TAPESTRY_DECLARE(absDerivative)
  TAPESTRY_DECLARE(siluDerivative)
  TAPESTRY_DECLARE(geluDerivative)
#undef TAPESTRY_DECLARE

  // The derivatives: of the delta and both operands.
#define TAPESTRY_DECLARE(name) \
  template <class T>           \
  static DeviceTensor<T> name(DeviceTensor<T> delta, DeviceTensor<T> a, DeviceTensor<T> b);
  TAPESTRY_DECLARE(maximumDerivativeLeft)
  TAPESTRY_DECLARE(powerDerivativeLeft)
  TAPESTRY_DECLARE(powerDerivativeRight)
  TAPESTRY_DECLARE(leakyReluDerivative)
  TAPESTRY_DECLARE(eluDerivative)
#undef TAPESTRY_DECLARE

  template <class T>
  static DeviceTensor<T> leakyReluDerivative(DeviceTensor<T> delta, DeviceTensor<T> x,
                                             std::type_identity_t<T> slope) {
    return leakyReluDerivative(std::move(delta), std::move(x), DeviceTensor<T>::scalar(slope));
  }
  template <class T>
  static DeviceTensor<T> eluDerivative(DeviceTensor<T> delta, DeviceTensor<T> x,
                                       std::type_identity_t<T> alpha) {
    return eluDerivative(std::move(delta), std::move(x), DeviceTensor<T>::scalar(alpha));
  }
  template <class T>
  static void addInto(DeviceTensor<T>& accumulator, DeviceTensor<T> x) {
    accumulator = add(std::move(accumulator), std::move(x));
  }

  /// The same numbers as on the host. The mask takes no memory: each kernel that uses it draws it again.
  /// Throws DeviceError for a constant, which has no device.
  template <class T>
  static DeviceTensor<T> dropoutMaskFor(const DeviceTensor<T>& x, double rate, std::uint64_t seed,
                                        std::uint64_t stream);
};

}  // namespace tapestry
#pragma GCC visibility pop
