// Defines the exponentials of a row, which are relative to its largest value, and their sums, once for each
// instruction set.
// Highway compiles the files that include this several times: the guard follows its toggle.
#if defined(TAPESTRY_KERNELS_EXPONENTIALS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TAPESTRY_KERNELS_EXPONENTIALS_INL
#undef TAPESTRY_KERNELS_EXPONENTIALS_INL
#else
#define TAPESTRY_KERNELS_EXPONENTIALS_INL
#endif

#include <cmath>
#include <cstddef>

#include "kernels/reduction/pairwise_sum_inl.hpp"
#include "kernels/vector_inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tapestry::kernels::HWY_NAMESPACE {
namespace {

template <class T>
struct Exps {
  const T* x;
  T shift;
  HWY_INLINE Vector<T> whole(std::size_t i) const { return term(hn::LoadU(Tag<T>(), x + i)); }
  HWY_INLINE Vector<T> first(std::size_t i, std::size_t n) const {
    const Tag<T> d;
    return hn::IfThenElseZero(hn::FirstN(d, n), term(loadFirst(d, x + i, n)));
  }
  HWY_INLINE Vector<T> term(Vector<T> value) const {
    const Tag<T> d;
    return exp(d, hn::Sub(value, hn::Set(d, shift)));
  }
};

template <class T>
struct StoredExps {
  Exps<T> exps;
  T* out;
  HWY_INLINE Vector<T> whole(std::size_t i) const {
    const Vector<T> terms = exps.whole(i);
    hn::StoreU(terms, Tag<T>(), out + i);
    return terms;
  }
  HWY_INLINE Vector<T> first(std::size_t i, std::size_t n) const {
    const Vector<T> terms = exps.first(i, n);
    storeFirst(Tag<T>(), terms, out + i, n);
    return terms;
  }
};

template <class T>
T maximum(const T* x, std::size_t n) {
  const Tag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  const Vector<T> lowest = hn::Neg(hn::Inf(d));
  Vector<T> largest = lowest;
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) largest = hn::Max(largest, hn::LoadU(d, x + i));
  if (i < n) {
    const Vector<T> rest = loadFirst(d, x + i, n - i);
    largest = hn::Max(largest, hn::IfThenElse(hn::FirstN(d, n - i), rest, lowest));
  }
  return hn::GetLane(hn::MaxOfLanes(d, largest));
}

// Returns the value that is subtracted from a row before its exponentials: the largest, so that no
// exponential overflows, or 0 if that is not finite, so that inf is not subtracted from itself. Any value if
// x has a NaN.
template <class T>
T shift(const T* x, std::size_t n) {
  const T largest = maximum(x, n);
  return std::isfinite(largest) ? largest : T{0};
}

template <class T>
T sumExp(const T* x, std::size_t n, T shift) {
  return pairwiseSum<T>(Exps<T>{x, shift}, 0, n);
}

// Stores exp(x - shift), where `out` may be `x`, and returns the sum.
template <class T>
T exps(const T* x, std::size_t n, T shift, T* out) {
  return pairwiseSum<T>(StoredExps<T>{{x, shift}, out}, 0, n);
}

// Returns the factor for the exponentials of a row, whose sum is `total`: NaN, for the whole row, if the
// total is infinite, which only a logit of inf causes.
template <class T>
T weightOf(T factor, T total) {
  return std::isinf(total) ? total - total : factor / total;
}

}  // namespace
}  // namespace tapestry::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
