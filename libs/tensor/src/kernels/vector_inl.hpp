// Defines the vector functions that loops share, once for each instruction set: the loop over an array,
// arithmetic on arrays, and mathematics.
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

namespace {

/// Accesses a whole vector.
template <class T>
struct Whole {
  hn::ScalableTag<T> d;
  HWY_INLINE auto load(const T* from) const { return hn::LoadU(d, from); }
  HWY_INLINE void store(hn::Vec<hn::ScalableTag<T>> v, T* to) const { hn::StoreU(v, d, to); }
};

/// Accesses the values left at the end.
template <class T>
struct Rest {
  hn::ScalableTag<T> d;
  std::size_t n;
  HWY_INLINE auto load(const T* from) const { return loadFirst(d, from, n); }
  HWY_INLINE void store(hn::Vec<hn::ScalableTag<T>> v, T* to) const { storeFirst(d, v, to, n); }
};

/// Computes n values, vector by vector: step(access, i) computes the lanes from i on, and loads and stores
/// each of its arrays by `access`.
template <class T, class Step>
HWY_INLINE void forEachVector(std::size_t n, const Step& step) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) step(Whole<T>{d}, i);
  if (i < n) step(Rest<T>{d, n - i}, i);
}

/// out[i] += x[i] for n elements.
template <class T>
HWY_INLINE void addEach(const T* x, std::size_t n, T* out) {
  forEachVector<T>(n, [=](const auto& access, std::size_t i) HWY_ATTR {
    access.store(hn::Add(access.load(out + i), access.load(x + i)), out + i);
  });
}

/// out[i] = x[i] * factor for n elements, where `out` may be `x`.
template <class T>
HWY_INLINE void multiplyEach(const T* x, T factor, std::size_t n, T* out) {
  forEachVector<T>(n, [=](const auto& access, std::size_t i) HWY_ATTR {
    access.store(hn::Mul(access.load(x + i), hn::Set(access.d, factor)), out + i);
  });
}

}  // namespace

template <class D>
HWY_INLINE hn::Vec<D> constant(D d, double value) {
  return hn::Set(d, static_cast<Lane<D>>(value));
}

/// -1, 0 or 1; NaN for NaN.
template <class D, class V>
HWY_INLINE V sign(D d, V x) {
  const V one = hn::Or(constant(d, 1), hn::And(x, hn::SignBit(d)));
  return hn::IfThenElse(hn::Gt(hn::Abs(x), hn::Zero(d)), one, x);
}

/// The largest number whose exponential is finite. Highway's Exp and Expm1 are not meant for larger ones.
template <class D>
HWY_INLINE hn::Vec<D> largestExponent(D d) {
  return hn::Set(d, static_cast<Lane<D>>(sizeof(Lane<D>) == 4 ? 88.72283172607422 : 709.782712893384));
}

/// Corrects the exponential y, which Highway has computed of x or, if x is larger, of the largest exponent:
/// returns inf for a larger x, and NaN for NaN, which Highway turns into 0.
template <class D, class V>
HWY_INLINE V exponential(D d, V x, V y) {
  const V infinity = hn::Inf(d);
  return hn::IfThenElse(hn::Gt(x, largestExponent(d)), infinity, hn::IfThenElse(hn::IsNaN(x), x, y));
}

template <class D, class V>
HWY_INLINE V exp(D d, V x) {
  return exponential(d, x, hn::Exp(d, hn::Min(x, largestExponent(d))));
}

template <class D, class V>
HWY_INLINE V expm1(D d, V x) {
  return exponential(d, x, hn::Expm1(d, hn::Min(x, largestExponent(d))));
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
  return logarithm(d, x, hn::Log1p(d, x), constant(d, -1));
}

/// Whether Highway's Sin and Cos are exact enough for all lanes. Larger angles are rare and are computed one
/// by one.
template <class D, class V>
HWY_INLINE bool haveSmallAngles(D d, V x) {
  return hn::AllTrue(d, hn::Le(hn::Abs(x), constant(d, 39000)));
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
  const V one = constant(d, 1);
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
