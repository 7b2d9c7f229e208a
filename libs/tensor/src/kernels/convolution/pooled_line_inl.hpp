// Defines alongLine, the loop of poolings over n places of a window for one of its elements, which covers
// x[j * stride] at place j, once for each instruction set.
// Highway compiles the files that include this several times: the guard follows its toggle.
#if defined(TAPESTRY_KERNELS_POOLED_LINE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TAPESTRY_KERNELS_POOLED_LINE_INL
#undef TAPESTRY_KERNELS_POOLED_LINE_INL
#else
#define TAPESTRY_KERNELS_POOLED_LINE_INL
#endif

#include <cstddef>

#include "kernels/vector_inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tapestry::kernels::HWY_NAMESPACE {
namespace {

// Adjacent elements.
struct Adjacent {
  template <class D>
  HWY_INLINE hn::Vec<D> load(D d, const Lane<D>* x, std::size_t j) const {
    return hn::LoadU(d, x + j);
  }
  template <class D>
  HWY_INLINE void add(D d, hn::Vec<D> v, Lane<D>* to, std::size_t j) const {
    hn::StoreU(hn::Add(hn::LoadU(d, to + j), v), d, to + j);
  }
};

// Every other element. The elements between are accessed too: those before each element if `before`, else
// those after it.
template <bool before>
struct Alternate {
  template <class D>
  HWY_INLINE hn::Vec<D> load(D d, const Lane<D>* x, std::size_t j) const {
    hn::Vec<D> even;
    hn::Vec<D> odd;
    hn::LoadInterleaved2(d, x + 2 * j - before, even, odd);
    return before ? odd : even;
  }
  template <class D>
  HWY_INLINE void add(D d, hn::Vec<D> v, Lane<D>* to, std::size_t j) const {
    Lane<D>* const at = to + 2 * j - before;
    hn::Vec<D> even;
    hn::Vec<D> odd;
    hn::LoadInterleaved2(d, at, even, odd);
    (before ? odd : even) = hn::Add(before ? odd : even, v);
    hn::StoreInterleaved2(even, odd, d, at);
  }
};

// Single elements, `stride` apart.
struct Apart {
  std::size_t stride;
  template <class D>
  HWY_INLINE hn::Vec<D> load(D d, const Lane<D>* x, std::size_t j) const {
    return hn::LoadU(d, x + j * stride);
  }
  template <class D>
  HWY_INLINE void add(D d, hn::Vec<D> v, Lane<D>* to, std::size_t j) const {
    Adjacent().add(d, v, to + j * stride, 0);
  }
};

// Calls body(vector tag, accessor of x, first place) until all n places are done. No element before the first
// place or after the last is accessed.
template <class T, class Body>
HWY_INLINE void alongLine(std::size_t stride, std::size_t n, const Body& body) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t j = 0;
  if (stride == 1)
    for (; j + lanes <= n; j += lanes) body(d, Adjacent(), j);
  if (stride == 2 && n > lanes) {
    body(d, Alternate<false>(), j);
    for (j = lanes; j + lanes <= n; j += lanes) body(d, Alternate<true>(), j);
  }
  for (; j < n; ++j) body(hn::CappedTag<T, 1>(), Apart{stride}, j);
}

}  // namespace
}  // namespace tapestry::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
