#include "kernels/convolution/pooling_loops.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/convolution/pooling_loops.cpp"
#include <hwy/foreach_target.h>  // compiles this file again for each instruction set

#include "kernels/dispatch_loops.hpp"
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

template <class T>
void largest(const T* x, std::size_t stride, std::size_t n, T* most) {
  alongLine<T>(stride, n, [=](auto d, const auto& line, std::size_t j) HWY_ATTR {
    const auto before = hn::LoadU(d, most + j);
    const auto seen = line.load(d, x, j);
    const auto keeps = hn::Or(hn::Gt(before, seen), hn::IsNaN(before));
    hn::StoreU(hn::IfThenElse(keeps, before, seen), d, most + j);
  });
}

template <class T>
void count(const T* x, std::size_t stride, std::size_t n, const T* most, T* counts) {
  alongLine<T>(stride, n, [=](auto d, const auto& line, std::size_t j) HWY_ATTR {
    const auto is = hn::Eq(line.load(d, x, j), hn::LoadU(d, most + j));
    Adjacent().add(d, hn::IfThenElseZero(is, hn::Set(d, T{1})), counts, j);
  });
}

template <class T>
void spreadToLargest(const T* x, std::size_t stride, std::size_t n, const T* most, const T* share, T* to) {
  alongLine<T>(stride, n, [=](auto d, const auto& line, std::size_t j) HWY_ATTR {
    const auto is = hn::Eq(line.load(d, x, j), hn::LoadU(d, most + j));
    line.add(d, hn::IfThenElseZero(is, hn::LoadU(d, share + j)), to, j);
  });
}

template <class T>
void add(const T* x, std::size_t stride, std::size_t n, T* sums) {
  alongLine<T>(stride, n, [=](auto d, const auto& line, std::size_t j) HWY_ATTR {
    Adjacent().add(d, line.load(d, x, j), sums, j);
  });
}

template <class T>
constexpr PoolingLoops<T> loops{largest<T>, count<T>, spreadToLargest<T>, add<T>};

}  // namespace

TAPESTRY_LOOPS_OF_TARGET(PoolingLoops, poolingLoops)

}  // namespace tapestry::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tapestry::kernels {

TAPESTRY_DISPATCH_LOOPS(PoolingLoops, poolingLoops)

}  // namespace tapestry::kernels
#endif
