// Defines forEachVector, the loop of an optimizer's step, once for each instruction set.
// Highway compiles the files that include this several times: the guard follows its toggle.
#if defined(TAPESTRY_KERNELS_STEPS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TAPESTRY_KERNELS_STEPS_INL
#undef TAPESTRY_KERNELS_STEPS_INL
#else
#define TAPESTRY_KERNELS_STEPS_INL
#endif

#include <cstddef>

#include "kernels/vector_inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tapestry::kernels::HWY_NAMESPACE {
namespace {

// Accesses a whole vector, or the values left at the end; a step accesses each of its arrays in the same way.
template <class T>
struct Whole {
  hn::ScalableTag<T> d;
  HWY_INLINE auto load(const T* from) const { return hn::LoadU(d, from); }
  HWY_INLINE void store(hn::Vec<hn::ScalableTag<T>> v, T* to) const { hn::StoreU(v, d, to); }
};

template <class T>
struct Rest {
  hn::ScalableTag<T> d;
  std::size_t n;
  HWY_INLINE auto load(const T* from) const { return loadFirst(d, from, n); }
  HWY_INLINE void store(hn::Vec<hn::ScalableTag<T>> v, T* to) const { storeFirst(d, v, to, n); }
};

// step(access, i) computes the lanes from i on.
template <class T, class Step>
HWY_INLINE void forEachVector(std::size_t n, const Step& step) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) step(Whole<T>{d}, i);
  if (i < n) step(Rest<T>{d, n - i}, i);
}

}  // namespace
}  // namespace tapestry::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
