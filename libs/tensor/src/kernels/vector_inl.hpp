// Defines the vector functions that loops share, once for each instruction set: remainders, arithmetic on
// arrays, and mathematics.
// Highway compiles the files that include this several times: the guard follows its toggle.
#if defined(TAPESTRY_KERNELS_VECTOR_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TAPESTRY_KERNELS_VECTOR_INL
#undef TAPESTRY_KERNELS_VECTOR_INL
#else
#define TAPESTRY_KERNELS_VECTOR_INL
#endif

#include <cmath>
#include <cstddef>
#include <cstring>

#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tapestry::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class D>
using Lane = hn::TFromD<D>;

// Whether masked loads and stores do not access the memory of the other lanes. Highway denies this for AVX2
// because of lanes narrower than ours.
#if !HWY_MEM_OPS_MIGHT_FAULT || HWY_TARGET == HWY_AVX2
inline constexpr bool hasMaskedAccess = true;
#else
inline constexpr bool hasMaskedAccess = false;
#endif

/// Loads the first n < Lanes(d) lanes from memory; the other lanes are 0. Reads no further.
template <class D>
HWY_INLINE hn::Vec<D> loadFirst(D d, const Lane<D>* from, std::size_t n) {
  if constexpr (hasMaskedAccess) return hn::MaskedLoad(hn::FirstN(d, n), d, from);
  HWY_ALIGN Lane<D> lanes[hn::MaxLanes(D{})] = {};
  std::memcpy(lanes, from, n * sizeof(Lane<D>));
  return hn::Load(d, lanes);
}

/// Stores the first n < Lanes(d) lanes and touches no others.
template <class D>
HWY_INLINE void storeFirst(D d, hn::Vec<D> v, Lane<D>* to, std::size_t n) {
  if constexpr (hasMaskedAccess) return hn::BlendedStore(v, hn::FirstN(d, n), d, to);
  HWY_ALIGN Lane<D> lanes[hn::MaxLanes(D{})];
  hn::Store(v, d, lanes);
  std::memcpy(to, lanes, n * sizeof(Lane<D>));
}

/// out[i] += x[i] for n elements.
template <class T>
HWY_INLINE void addEach(const T* x, std::size_t n, T* out) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes)
    hn::StoreU(hn::Add(hn::LoadU(d, out + i), hn::LoadU(d, x + i)), d, out + i);
  if (i < n) storeFirst(d, hn::Add(loadFirst(d, out + i, n - i), loadFirst(d, x + i, n - i)), out + i, n - i);
}

/// out[i] = x[i] * factor for n elements, where `out` may be `x`.
template <class T>
HWY_INLINE void multiplyEach(const T* x, T factor, std::size_t n, T* out) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto factors = hn::Set(d, factor);
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) hn::StoreU(hn::Mul(hn::LoadU(d, x + i), factors), d, out + i);
  if (i < n) storeFirst(d, hn::Mul(loadFirst(d, x + i, n - i), factors), out + i, n - i);
}

template <class D, class V>
HWY_INLINE V constant(D d, V, double value) {
  return hn::Set(d, static_cast<Lane<D>>(value));
}

/// -1, 0 or 1; NaN for NaN.
template <class D, class V>
HWY_INLINE V sign(D d, V x) {
  const V one = hn::Or(constant(d, x, 1), hn::And(x, hn::SignBit(d)));
  return hn::IfThenElse(hn::Gt(hn::Abs(x), hn::Zero(d)), one, x);
}

/// Highway's Exp is meant for a bounded range and turns NaN into 0.
template <class D, class V>
HWY_INLINE V exp(D d, V x) {
  constexpr bool isFloat = sizeof(Lane<D>) == 4;
  const V limit = constant(d, x, isFloat ? 88.72283172607422 : 709.782712893384);
  const V infinity = hn::Inf(d);
  const V y = hn::Exp(d, hn::Min(x, limit));
  return hn::IfThenElse(hn::Gt(x, limit), infinity, hn::IfThenElse(hn::IsNaN(x), x, y));
}

/// Highway's Expm1 is meant for a bounded range.
template <class D, class V>
HWY_INLINE V expm1(D d, V x) {
  constexpr bool isFloat = sizeof(Lane<D>) == 4;
  const V limit = constant(d, x, isFloat ? 88.72283172607422 : 709.782712893384);
  const V infinity = hn::Inf(d);
  const V y = hn::Expm1(d, hn::Min(x, limit));
  return hn::IfThenElse(hn::Gt(x, limit), infinity, hn::IfThenElse(hn::IsNaN(x), x, y));
}

/// Corrects the logarithm y of x at the ends: -inf at the pole, NaN below it, inf at inf.
template <class D, class V>
HWY_INLINE V logarithm(D d, V x, V y, V pole) {
  const V infinity = hn::Inf(d);
  const V special =
      hn::IfThenElse(hn::Eq(x, pole), hn::Neg(infinity), hn::IfThenElse(hn::Eq(x, infinity), x, hn::NaN(d)));
  const auto ordinary = hn::And(hn::Gt(x, pole), hn::Lt(x, infinity));
  return hn::IfThenElse(ordinary, y, special);
}

/// Highway's Log is meant for positive finite values.
template <class D, class V>
HWY_INLINE V log(D d, V x) {
  return logarithm(d, x, hn::Log(d, x), hn::Zero(d));
}

template <class D, class V>
HWY_INLINE V log1p(D d, V x) {
  return logarithm(d, x, hn::Log1p(d, x), constant(d, x, -1));
}

/// Whether Highway's Sin and Cos are exact enough for all lanes. Larger angles are rare and are computed one
/// by one.
template <class D, class V>
HWY_INLINE bool haveSmallAngles(D d, V x) {
  return hn::AllTrue(d, hn::Le(hn::Abs(x), constant(d, x, 39000)));
}

template <class D, class V>
HWY_INLINE V onEachLane(D d, V x, Lane<D> (*function)(Lane<D>)) {
  HWY_ALIGN Lane<D> lanes[hn::MaxLanes(D{})];
  hn::Store(x, d, lanes);
  for (std::size_t i = 0; i < hn::Lanes(d); ++i) lanes[i] = function(lanes[i]);
  return hn::Load(d, lanes);
}

template <class D, class V>
HWY_INLINE V sin(D d, V x) {
  if (HWY_LIKELY(haveSmallAngles(d, x))) return hn::Sin(d, x);
  return onEachLane(d, x, [](Lane<D> lane) { return std::sin(lane); });
}

template <class D, class V>
HWY_INLINE V cos(D d, V x) {
  if (HWY_LIKELY(haveSmallAngles(d, x))) return hn::Cos(d, x);
  return onEachLane(d, x, [](Lane<D> lane) { return std::cos(lane); });
}

template <class D, class V>
HWY_INLINE V tanh(D d, V x) {
  return hn::IfThenElse(hn::IsNaN(x), x, hn::Tanh(d, x));
}

/// From exp(-|x|), which cannot overflow: 1 / (1 + e) to the right of 0, e / (1 + e) to the left.
template <class D, class V>
HWY_INLINE V sigmoid(D d, V x) {
  const V one = constant(d, x, 1);
  const V tail = exp(d, hn::Neg(hn::Abs(x)));
  const V numerator = hn::IfThenElse(hn::Lt(x, hn::Zero(d)), tail, one);
  return hn::Div(numerator, hn::Add(one, tail));
}

template <class D, class V>
HWY_INLINE V relu(D d, V x) {
  return hn::IfThenZeroElse(hn::Lt(x, hn::Zero(d)), x);
}

/// The argument of the logarithm is between 1 and 2.
template <class D, class V>
HWY_INLINE V softplus(D d, V x) {
  return hn::Add(relu(d, x), hn::Log1p(d, exp(d, hn::Neg(hn::Abs(x)))));
}

}  // namespace tapestry::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
