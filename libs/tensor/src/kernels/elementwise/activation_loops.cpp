#include "kernels/elementwise/activation_loops.hpp"

#include <limits>

#include <tapestry/tensor/kernels/activation.hpp>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/elementwise/activation_loops.cpp"
#include <hwy/foreach_target.h>  // compiles this file again for each instruction set

#include "kernels/dispatch_loops.hpp"
#include "kernels/vector_inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tapestry::kernels::HWY_NAMESPACE {
namespace {

// Clamps x to the bounds; NaN becomes a bound.
template <class D, class V>
HWY_INLINE V within(D d, V x, double bound) {
  return hn::Max(hn::Min(x, constant(d, x, bound)), constant(d, x, -bound));
}

template <class D, class V>
HWY_INLINE V finite(D d, V x) {
  return within(d, x, static_cast<double>(std::numeric_limits<Lane<D>>::max()));
}

struct SiluLoop {
  template <class D, class V>
  static HWY_INLINE V value(D d, V x, V) {
    return hn::Mul(hn::Max(x, constant(d, x, std::numeric_limits<Lane<D>>::lowest())), sigmoid(d, x));
  }
  template <class D, class V>
  static HWY_INLINE V slope(D d, V x, V) {
    const V one = constant(d, x, 1);
    const V s = sigmoid(d, x);
    return hn::Mul(s, hn::MulAdd(finite(d, x), hn::Sub(one, s), one));
  }
};

struct GeluLoop {
  template <class D, class V>
  static HWY_INLINE V value(D d, V x, V) {
    const V inner = hn::MulAdd(hn::Mul(x, x), constant(d, x, Gelu::b), constant(d, x, Gelu::a));
    return hn::Mul(hn::Max(x, constant(d, x, std::numeric_limits<Lane<D>>::lowest())),
                   sigmoid(d, hn::Mul(x, inner)));
  }
  template <class D, class V>
  static HWY_INLINE V slope(D d, V x, V) {
    const V near = within(d, x, Gelu::saturated);
    const V square = hn::Mul(near, near);
    const V a = constant(d, x, Gelu::a);
    const V s = sigmoid(d, hn::Mul(near, hn::MulAdd(square, constant(d, x, Gelu::b), a)));
    const V bend = hn::Mul(hn::Mul(near, s), hn::Sub(constant(d, x, 1), s));
    const V y = hn::MulAdd(bend, hn::MulAdd(square, constant(d, x, 3 * Gelu::b), a), s);
    return hn::IfThenElse(hn::IsNaN(x), x, y);
  }
};

// The slope is 1 where x > 0, `left` where x < 0, and their mean at 0.
template <class D, class V>
HWY_INLINE V kink(D d, V x, V left) {
  const V one = constant(d, x, 1);
  const V mean = hn::Mul(hn::Add(one, left), constant(d, x, 0.5));
  const V zero = hn::Zero(d);
  return hn::IfThenElse(hn::Gt(x, zero), one, hn::IfThenElse(hn::Eq(x, zero), mean, left));
}

struct LeakyReluLoop {
  template <class D, class V>
  static HWY_INLINE V value(D d, V x, V slope) {
    return hn::IfThenElse(hn::Gt(x, hn::Zero(d)), x, hn::Mul(slope, x));
  }
  template <class D, class V>
  static HWY_INLINE V slope(D d, V x, V slope) {
    return kink(d, x, slope);
  }
};

struct EluLoop {
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
void values(const T* x, T parameter, std::size_t n, T* out) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto p = hn::Set(d, parameter);
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) hn::StoreU(F::value(d, hn::LoadU(d, x + i), p), d, out + i);
  if (i < n) storeFirst(d, F::value(d, loadFirst(d, x + i, n - i), p), out + i, n - i);
}

template <class F, class T>
void derivatives(const T* delta, const T* x, T parameter, std::size_t n, T* out) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto p = hn::Set(d, parameter);
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes)
    hn::StoreU(hn::Mul(hn::LoadU(d, delta + i), F::slope(d, hn::LoadU(d, x + i), p)), d, out + i);
  if (i < n) {
    const auto slope = F::slope(d, loadFirst(d, x + i, n - i), p);
    storeFirst(d, hn::Mul(loadFirst(d, delta + i, n - i), slope), out + i, n - i);
  }
}

template <class F, class T>
constexpr ActivationLoop<T> activation{values<F, T>, derivatives<F, T>};

template <class T>
constexpr ActivationLoops<T> loops{activation<SiluLoop, T>, activation<GeluLoop, T>,
                                   activation<LeakyReluLoop, T>, activation<EluLoop, T>};

}  // namespace

TAPESTRY_LOOPS_OF_TARGET(ActivationLoops, activationLoops)

}  // namespace tapestry::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tapestry::kernels {

TAPESTRY_DISPATCH_LOOPS(ActivationLoops, activationLoops)

}  // namespace tapestry::kernels
#endif
