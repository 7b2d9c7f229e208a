// Defines pairwiseSum and the terms that it adds up, once for each instruction set.
// Highway compiles the files that include this several times: the guard follows its toggle.
#if defined(TAPESTRY_KERNELS_PAIRWISE_SUM_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TAPESTRY_KERNELS_PAIRWISE_SUM_INL
#undef TAPESTRY_KERNELS_PAIRWISE_SUM_INL
#else
#define TAPESTRY_KERNELS_PAIRWISE_SUM_INL
#endif

#include <cstddef>

#include "kernels/vector_inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tapestry::kernels::HWY_NAMESPACE {
namespace {

template <class T>
using Tag = hn::ScalableTag<T>;
template <class T>
using Vector = hn::Vec<Tag<T>>;

// The terms of a sum: whole(i) is the vector of terms from i on; first(i, n) is its first n lanes, the others
// 0.
template <class T>
struct Values {
  const T* x;
  HWY_INLINE Vector<T> whole(std::size_t i) const { return hn::LoadU(Tag<T>(), x + i); }
  HWY_INLINE Vector<T> first(std::size_t i, std::size_t n) const { return loadFirst(Tag<T>(), x + i, n); }
};

template <class T>
struct Products {
  const T* a;
  const T* b;
  HWY_INLINE Vector<T> whole(std::size_t i) const {
    return hn::Mul(hn::LoadU(Tag<T>(), a + i), hn::LoadU(Tag<T>(), b + i));
  }
  HWY_INLINE Vector<T> first(std::size_t i, std::size_t n) const {
    return hn::Mul(loadFirst(Tag<T>(), a + i, n), loadFirst(Tag<T>(), b + i, n));
  }
};

// Sums the terms begin .. end - 1 in four accumulators; pairwiseSum gives each at most 32 vectors.
template <class T, class Terms>
T linearSum(const Terms& terms, std::size_t begin, std::size_t end) {
  const Tag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  Vector<T> s0 = hn::Zero(d);
  Vector<T> s1 = s0;
  Vector<T> s2 = s0;
  Vector<T> s3 = s0;
  std::size_t i = begin;
  for (; i + 4 * lanes <= end; i += 4 * lanes) {
    s0 = hn::Add(s0, terms.whole(i));
    s1 = hn::Add(s1, terms.whole(i + lanes));
    s2 = hn::Add(s2, terms.whole(i + 2 * lanes));
    s3 = hn::Add(s3, terms.whole(i + 3 * lanes));
  }
  for (; i + lanes <= end; i += lanes) s0 = hn::Add(s0, terms.whole(i));
  if (i < end) s1 = hn::Add(s1, terms.first(i, end - i));
  return hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(s0, s1), hn::Add(s2, s3))));
}

// Halves are split where a vector of any instruction set begins.
template <class T, class Terms>
T pairwiseSum(const Terms& terms, std::size_t begin, std::size_t end) {
  if (end - begin <= 4 * 32 * hn::Lanes(Tag<T>())) return linearSum<T>(terms, begin, end);
  const std::size_t middle = begin + (end - begin) / 2 / 64 * 64;
  return pairwiseSum<T>(terms, begin, middle) + pairwiseSum<T>(terms, middle, end);
}

}  // namespace
}  // namespace tapestry::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
