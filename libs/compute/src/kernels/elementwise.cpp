#include <tapestry/compute/kernels/device_elementwise.hpp>

#include <array>

#include <tapestry/tensor/kernels/activation.hpp>
#include <tapestry/tensor/kernels/arithmetic.hpp>
#include <tapestry/tensor/kernels/comparison.hpp>
#include <tapestry/tensor/kernels/derivative.hpp>
#include <tapestry/tensor/kernels/dropout_mask.hpp>
#include <tapestry/tensor/kernels/elementwise.hpp>
#include <tapestry/tensor/kernels/power.hpp>

#include "build.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace {

template <class T, class... X>
DeviceTensor<T> apply(const detail::DeviceFunction& function, DeviceTensor<T> first, X... others) {
  std::array operands{std::move(first).expression(), std::move(others).expression()...};
  return DeviceTensor<T>(detail::applied(function, operands));
}

}  // namespace

template <class T>
DeviceTensor<T> DeviceElementwise::dropoutMaskFor(const DeviceTensor<T>& x, double rate, std::uint64_t seed,
                                                  std::uint64_t stream) {
  auto device = detail::requiredDevice("dropout", std::array{x.expression()});
  const auto draws = kernels::DropoutDraws::of(rate, seed, stream);
  return DeviceTensor<T>(detail::dropped(std::same_as<T, double>, x.shape(), draws.key, draws.threshold,
                                         static_cast<T>(draws.kept), std::move(device)));
}

template DeviceTensor<float> DeviceElementwise::dropoutMaskFor(const DeviceTensor<float>&, double,
                                                               std::uint64_t, std::uint64_t);
template DeviceTensor<double> DeviceElementwise::dropoutMaskFor(const DeviceTensor<double>&, double,
                                                                std::uint64_t, std::uint64_t);

// The patterns are C for both float and double, T. Each operand is a variable.
#define TAPESTRY_DEFINE(name, pattern)                                                            \
  template <class T>                                                                              \
  DeviceTensor<T> DeviceElementwise::name(DeviceTensor<T> x) {                                    \
    static const detail::DeviceFunction function{                                                 \
        #name, pattern, [](const double* constants) { return kernels::name(constants[0]); }, {}}; \
    return apply(function, std::move(x));                                                         \
  }                                                                                               \
  template DeviceTensor<float> DeviceElementwise::name(DeviceTensor<float>);                      \
  template DeviceTensor<double> DeviceElementwise::name(DeviceTensor<double>);

TAPESTRY_DEFINE(negate, "-%0")
TAPESTRY_DEFINE(abs, "fabs(%0)")
TAPESTRY_DEFINE(sign, "%0 > 0 ? (T)1 : %0 < 0 ? (T)-1 : %0")
TAPESTRY_DEFINE(sqrt, "sqrt(%0)")
TAPESTRY_DEFINE(exp, "exp(%0)")
TAPESTRY_DEFINE(expm1, "expm1(%0)")
TAPESTRY_DEFINE(log, "log(%0)")
TAPESTRY_DEFINE(log1p, "log1p(%0)")
TAPESTRY_DEFINE(sin, "sin(%0)")
TAPESTRY_DEFINE(cos, "cos(%0)")
TAPESTRY_DEFINE(relu, "%0 < 0 ? (T)0 : %0")
TAPESTRY_DEFINE(tanh, "tanh(%0)")
TAPESTRY_DEFINE(softplus, "(%0 < 0 ? (T)0 : %0) + log1p(exp(-fabs(%0)))")
TAPESTRY_DEFINE(sigmoid, "sigmoidOf(%0)")
TAPESTRY_DEFINE(silu, "siluOf(%0)")
TAPESTRY_DEFINE(gelu, "geluOf(%0)")
#undef TAPESTRY_DEFINE

#define TAPESTRY_DEFINE(name, pattern)                                                            \
  template <class T>                                                                              \
  DeviceTensor<T> DeviceElementwise::name(DeviceTensor<T> a, DeviceTensor<T> b) {                 \
    static const detail::DeviceFunction function{                                                 \
        #name,                                                                                    \
        pattern,                                                                                  \
        [](const double* constants) { return kernels::name(constants[0], constants[1]); },        \
        {}};                                                                                      \
    return apply(function, std::move(a), std::move(b));                                           \
  }                                                                                               \
  template DeviceTensor<float> DeviceElementwise::name(DeviceTensor<float>, DeviceTensor<float>); \
  template DeviceTensor<double> DeviceElementwise::name(DeviceTensor<double>, DeviceTensor<double>);

TAPESTRY_DEFINE(add, "%0 + %1")
TAPESTRY_DEFINE(subtract, "%0 - %1")
TAPESTRY_DEFINE(multiply, "%0 * %1")
TAPESTRY_DEFINE(divide, "%0 / %1")
TAPESTRY_DEFINE(maximum, "(%0 > %1 || %0 != %0) ? %0 : %1")
TAPESTRY_DEFINE(minimum, "(%0 < %1 || %0 != %0) ? %0 : %1")
TAPESTRY_DEFINE(where, "%0 != 0 ? %1 : (T)0")
TAPESTRY_DEFINE(unless, "%0 == 0 ? %1 : (T)0")
TAPESTRY_DEFINE(power, "powerOf(%0, %1)")
TAPESTRY_DEFINE(greater, "%0 > %1 ? (T)1 : (T)0")
TAPESTRY_DEFINE(greaterEqual, "%0 >= %1 ? (T)1 : (T)0")
TAPESTRY_DEFINE(less, "%0 < %1 ? (T)1 : (T)0")
TAPESTRY_DEFINE(lessEqual, "%0 <= %1 ? (T)1 : (T)0")
TAPESTRY_DEFINE(equal, "%0 == %1 ? (T)1 : (T)0")
TAPESTRY_DEFINE(notEqual, "%0 != %1 ? (T)1 : (T)0")
TAPESTRY_DEFINE(leakyRelu, "%0 > 0 ? %0 : %1 * %0")
TAPESTRY_DEFINE(elu, "%0 > 0 ? %0 : %1 * expm1(%0)")
TAPESTRY_DEFINE(reluDerivative, "%1 > 0 ? %0 : (T)0")
TAPESTRY_DEFINE(tanhDerivative, "%0 * (1 - %1 * %1)")
TAPESTRY_DEFINE(sigmoidDerivative, "%0 * %1 * (1 - %1)")
TAPESTRY_DEFINE(absDerivative, "%1 > 0 ? %0 : %1 < 0 ? -%0 : %0 * %1")
TAPESTRY_DEFINE(siluDerivative, "%0 * siluSlope(%1)")
TAPESTRY_DEFINE(geluDerivative, "%0 * geluSlope(%1)")
#undef TAPESTRY_DEFINE

#define TAPESTRY_DEFINE(name, pattern)                                                                   \
  template <class T>                                                                                     \
  DeviceTensor<T> DeviceElementwise::name(DeviceTensor<T> delta, DeviceTensor<T> a, DeviceTensor<T> b) { \
    static const detail::DeviceFunction function{                                                        \
        #name,                                                                                           \
        pattern,                                                                                         \
        [](const double* constants) { return kernels::name(constants[0], constants[1], constants[2]); }, \
        {}};                                                                                             \
    return apply(function, std::move(delta), std::move(a), std::move(b));                                \
  }                                                                                                      \
  template DeviceTensor<float> DeviceElementwise::name(DeviceTensor<float>, DeviceTensor<float>,         \
                                                       DeviceTensor<float>);                             \
  template DeviceTensor<double> DeviceElementwise::name(DeviceTensor<double>, DeviceTensor<double>,      \
                                                        DeviceTensor<double>);

TAPESTRY_DEFINE(maximumDerivativeLeft, "%1 > %2 ? %0 : %1 == %2 ? %0 / 2 : (T)0")
TAPESTRY_DEFINE(powerDerivativeLeft, "%0 * (%2 == 0 && %1 == %1 ? (T)0 : %2 * powerOf(%1, %2 - 1))")
TAPESTRY_DEFINE(powerDerivativeRight, "%0 * powerSlope(%1, %2)")
TAPESTRY_DEFINE(leakyReluDerivative, "%0 * (%1 > 0 ? (T)1 : %1 < 0 ? %2 : %1 == 0 ? (1 + %2) / 2 : %1)")
TAPESTRY_DEFINE(eluDerivative, "%0 * (%1 > 0 ? (T)1 : %1 < 0 ? %2 * exp(%1) : %1 == 0 ? (1 + %2) / 2 : %1)")
#undef TAPESTRY_DEFINE

}  // namespace tapestry
#pragma GCC visibility pop
