#include <tapestry/tensor/kernels/activation.hpp>

#include <cstddef>
#include <limits>
#include <utility>

#include "kernels/dispatch.hpp"
#include "kernels/target.hpp"
#include "kernels/vector_inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tapestry::kernels::HWY_NAMESPACE {
namespace {

// Clamps x to the bounds; NaN becomes a bound.
template <class D, class V>
HWY_INLINE V within(D d, V x, double bound) {
  return hn::Max(hn::Min(x, constant(d, bound)), constant(d, -bound));
}

template <class D, class V>
HWY_INLINE V finite(D d, V x) {
  return within(d, x, static_cast<double>(std::numeric_limits<Lane<D>>::max()));
}

struct SiluOfVectors {
  template <class D, class V>
  static HWY_INLINE V value(D d, V x, V) {
    return hn::Mul(hn::Max(x, constant(d, std::numeric_limits<Lane<D>>::lowest())), sigmoid(d, x));
  }
  template <class D, class V>
  static HWY_INLINE V slope(D d, V x, V) {
    const V one = constant(d, 1);
    const V s = sigmoid(d, x);
    return hn::Mul(s, hn::MulAdd(finite(d, x), hn::Sub(one, s), one));
  }
};

struct GeluOfVectors {
  template <class D, class V>
  static HWY_INLINE V value(D d, V x, V) {
    const V inner = hn::MulAdd(hn::Mul(x, x), constant(d, Gelu::b), constant(d, Gelu::a));
    return hn::Mul(hn::Max(x, constant(d, std::numeric_limits<Lane<D>>::lowest())),
                   sigmoid(d, hn::Mul(x, inner)));
  }
  template <class D, class V>
  static HWY_INLINE V slope(D d, V x, V) {
    const V near = within(d, x, Gelu::saturated);
    const V square = hn::Mul(near, near);
    const V a = constant(d, Gelu::a);
    const V s = sigmoid(d, hn::Mul(near, hn::MulAdd(square, constant(d, Gelu::b), a)));
    const V bend = hn::Mul(hn::Mul(near, s), hn::Sub(constant(d, 1), s));
    const V y = hn::MulAdd(bend, hn::MulAdd(square, constant(d, 3 * Gelu::b), a), s);
    return hn::IfThenElse(hn::IsNaN(x), x, y);
  }
};

// The slope is 1 where x > 0, the mean of 1 and `left` at 0, else `left`, also for NaN.
template <class D, class V>
HWY_INLINE V kink(D d, V x, V left) {
  const V one = constant(d, 1);
  const V mean = hn::Mul(hn::Add(one, left), constant(d, 0.5));
  const V zero = hn::Zero(d);
  return hn::IfThenElse(hn::Gt(x, zero), one, hn::IfThenElse(hn::Eq(x, zero), mean, left));
}

struct LeakyReluOfVectors {
  template <class D, class V>
  static HWY_INLINE V value(D d, V x, V slope) {
    return hn::IfThenElse(hn::Gt(x, hn::Zero(d)), x, hn::Mul(slope, x));
  }
  template <class D, class V>
  static HWY_INLINE V slope(D d, V x, V slope) {
    return kink(d, x, hn::IfThenElse(hn::IsNaN(x), x, slope));
  }
};

struct EluOfVectors {
  template <class D, class V>
  static HWY_INLINE V value(D d, V x, V alpha) {
    return hn::IfThenElse(hn::Gt(x, hn::Zero(d)), x, hn::Mul(alpha, expm1(d, x)));
  }
  template <class D, class V>
  static HWY_INLINE V slope(D d, V x, V alpha) {
    return kink(d, x, hn::Mul(alpha, exp(d, x)));
  }
};

template <class F, class T>
void valuesLoop(const T* x, T parameter, std::size_t n, T* out) {
  forEachVector<T>(n, [=](const auto& access, std::size_t i) HWY_ATTR {
    access.store(F::value(access.d, access.load(x + i), hn::Set(access.d, parameter)), out + i);
  });
}

template <class F, class T>
void derivativesLoop(const T* delta, const T* x, T parameter, std::size_t n, T* out) {
  forEachVector<T>(n, [=](const auto& access, std::size_t i) HWY_ATTR {
    const auto slope = F::slope(access.d, access.load(x + i), hn::Set(access.d, parameter));
    access.store(hn::Mul(access.load(delta + i), slope), out + i);
  });
}

// The loops of an activation and of its derivative; the parameter is the slope or alpha of activations that
// have one.
#define TAPESTRY_LOOPS(name, Vectors)                                 \
  template <class T>                                                  \
  constexpr auto& name##Loop = valuesLoop<Vectors, T>;                \
  template <class T>                                                  \
  constexpr auto& name##DerivativeLoop = derivativesLoop<Vectors, T>; \
  TAPESTRY_EXPORT_LOOP(name##Loop)                                    \
  TAPESTRY_EXPORT_LOOP(name##DerivativeLoop)
TAPESTRY_LOOPS(silu, SiluOfVectors)
TAPESTRY_LOOPS(gelu, GeluOfVectors)
TAPESTRY_LOOPS(leakyRelu, LeakyReluOfVectors)
TAPESTRY_LOOPS(elu, EluOfVectors)
#undef TAPESTRY_LOOPS

}  // namespace
}  // namespace tapestry::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#pragma GCC visibility push(default)
namespace tapestry::kernels {

TAPESTRY_DISPATCH_LOOP(siluLoop)
TAPESTRY_DISPATCH_LOOP(siluDerivativeLoop)
TAPESTRY_DISPATCH_LOOP(geluLoop)
TAPESTRY_DISPATCH_LOOP(geluDerivativeLoop)
TAPESTRY_DISPATCH_LOOP(leakyReluLoop)
TAPESTRY_DISPATCH_LOOP(leakyReluDerivativeLoop)
TAPESTRY_DISPATCH_LOOP(eluLoop)
TAPESTRY_DISPATCH_LOOP(eluDerivativeLoop)

// Defines an activation and its derivative; the second argument names its parameter, if it has one.
#define TAPESTRY_DEFINE(name, ...)                                                                   \
  template <class T>                                                                                 \
  Tensor<T> name(Tensor<T> x __VA_OPT__(, std::type_identity_t<T> __VA_ARGS__)) {                    \
    return inPlace(std::move(x), [&](const T* from, std::size_t n, T* out) {                         \
      name##Loop<T>()(from, T{__VA_ARGS__}, n, out);                                                 \
    });                                                                                              \
  }                                                                                                  \
  template <class T>                                                                                 \
  Tensor<T> name##Derivative(Tensor<T> delta,                                                        \
                             const Tensor<T>& x __VA_OPT__(, std::type_identity_t<T> __VA_ARGS__)) { \
    return inPlace(#name "Derivative", std::move(delta), x,                                          \
                   [&](const T* from, const T* values, std::size_t n, T* out) {                      \
                     name##DerivativeLoop<T>()(from, values, T{__VA_ARGS__}, n, out);                \
                   });                                                                               \
  }                                                                                                  \
  template Tensor<float> name(Tensor<float> __VA_OPT__(, float));                                    \
  template Tensor<double> name(Tensor<double> __VA_OPT__(, double));                                 \
  template Tensor<float> name##Derivative(Tensor<float>, const Tensor<float>& __VA_OPT__(, float));  \
  template Tensor<double> name##Derivative(Tensor<double>, const Tensor<double>& __VA_OPT__(, double));
TAPESTRY_DEFINE(silu)
TAPESTRY_DEFINE(gelu)
TAPESTRY_DEFINE(leakyRelu, slope)
TAPESTRY_DEFINE(elu, alpha)
#undef TAPESTRY_DEFINE

}  // namespace tapestry::kernels
#pragma GCC visibility pop
#endif
