#include <tapestry/tensor/kernels/pooling.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include "kernels/convolution/pooled_planes.hpp"
#include "kernels/dispatch.hpp"
#include "kernels/vector_inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tapestry::kernels::HWY_NAMESPACE {
namespace {

// The loops of poolings run over n places of a window for one of its elements, which covers x[j * stride] at
// place j.

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

// most[j] becomes the larger of itself and x[j * stride], NaN if either is.
template <class T>
void largestLoop(const T* x, std::size_t stride, std::size_t n, T* most) {
  alongLine<T>(stride, n, [=](auto d, const auto& line, std::size_t j) HWY_ATTR {
    const auto before = hn::LoadU(d, most + j);
    const auto seen = line.load(d, x, j);
    const auto keeps = hn::Or(hn::Gt(before, seen), hn::IsNaN(before));
    hn::StoreU(hn::IfThenElse(keeps, before, seen), d, most + j);
  });
}

// counts[j] grows by 1 where x[j * stride] is most[j].
template <class T>
void countLoop(const T* x, std::size_t stride, std::size_t n, const T* most, T* counts) {
  alongLine<T>(stride, n, [=](auto d, const auto& line, std::size_t j) HWY_ATTR {
    const auto is = hn::Eq(line.load(d, x, j), hn::LoadU(d, most + j));
    Adjacent().add(d, hn::IfThenElseZero(is, hn::Set(d, T{1})), counts, j);
  });
}

// to[j * stride] grows by share[j] where x[j * stride] is most[j]. The elements between are read and written
// back unchanged.
template <class T>
void spreadToLargestLoop(const T* x, std::size_t stride, std::size_t n, const T* most, const T* share,
                         T* to) {
  alongLine<T>(stride, n, [=](auto d, const auto& line, std::size_t j) HWY_ATTR {
    const auto is = hn::Eq(line.load(d, x, j), hn::LoadU(d, most + j));
    line.add(d, hn::IfThenElseZero(is, hn::LoadU(d, share + j)), to, j);
  });
}

// sums[j] grows by x[j * stride].
template <class T>
void sumLoop(const T* x, std::size_t stride, std::size_t n, T* sums) {
  alongLine<T>(stride, n, [=](auto d, const auto& line, std::size_t j) HWY_ATTR {
    Adjacent().add(d, line.load(d, x, j), sums, j);
  });
}

TAPESTRY_EXPORT_LOOP(largestLoop)
TAPESTRY_EXPORT_LOOP(countLoop)
TAPESTRY_EXPORT_LOOP(spreadToLargestLoop)
TAPESTRY_EXPORT_LOOP(sumLoop)

}  // namespace
}  // namespace tapestry::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#pragma GCC visibility push(default)
namespace tapestry::kernels {

TAPESTRY_DISPATCH_LOOP(largestLoop)
TAPESTRY_DISPATCH_LOOP(countLoop)
TAPESTRY_DISPATCH_LOOP(spreadToLargestLoop)
TAPESTRY_DISPATCH_LOOP(sumLoop)

namespace {

template <class T>
void maxOfLine(const PooledPlanes& planes, std::size_t line, const T* plane, T* out) {
  std::fill_n(out, planes.out.width, -std::numeric_limits<T>::infinity());
  planes.forEachElement(line, [&, loop = largestLoop<T>()](std::size_t at, std::size_t place, std::size_t n) {
    loop(plane + at, planes.stride.width, n, out + place);
  });
}

}  // namespace

template <class T>
Tensor<T> maxPool(const Tensor<T>& x, const Pooling& pooling) {
  const PooledPlanes planes("maxPool2d", x.shape(), pooling);
  auto result = Tensor<T>::uninitialized(planes.shape);
  T* const out = result.exclusiveData();
  planes.forEachLine([&](std::size_t from, std::size_t to, std::size_t line) {
    maxOfLine(planes, line, x.data() + from, out + to);
  });
  return result;
}

template <class T>
Tensor<T> maxPoolDerivative(const Tensor<T>& delta, const Tensor<T>& x, const Pooling& pooling) {
  const PooledPlanes planes("maxPool2d", x.shape(), pooling);
  planes.requireDelta("maxPool2d", delta.shape());
  auto result = Tensor<T>::zeros(x.shape());
  T* const out = result.exclusiveData();
  std::vector<T> most(planes.out.width);
  std::vector<T> share(planes.out.width);
  const auto count = countLoop<T>();
  const auto spreadToLargest = spreadToLargestLoop<T>();
  planes.forEachLine([&](std::size_t from, std::size_t to, std::size_t line) {
    const T* const plane = x.data() + from;
    maxOfLine(planes, line, plane, most.data());
    std::fill(share.begin(), share.end(), T{0});
    planes.forEachElement(line, [&](std::size_t at, std::size_t place, std::size_t n) {
      count(plane + at, planes.stride.width, n, most.data() + place, share.data() + place);
    });
    for (std::size_t j = 0; j < planes.out.width; ++j) share[j] = delta.data()[to + j] / share[j];
    planes.forEachElement(line, [&](std::size_t at, std::size_t place, std::size_t n) {
      spreadToLargest(plane + at, planes.stride.width, n, most.data() + place, share.data() + place,
                      out + from + at);
    });
  });
  return result;
}

template <class T>
Tensor<T> avgPool(const Tensor<T>& x, const Pooling& pooling) {
  const PooledPlanes planes("avgPool2d", x.shape(), pooling);
  const auto elements = static_cast<T>(planes.window.height * planes.window.width);
  auto result = Tensor<T>::zeros(planes.shape);
  T* const out = result.exclusiveData();
  const auto sum = sumLoop<T>();
  planes.forEachLine([&](std::size_t from, std::size_t to, std::size_t line) {
    const T* const plane = x.data() + from;
    T* const row = out + to;
    planes.forEachElement(line, [&](std::size_t at, std::size_t place, std::size_t n) {
      sum(plane + at, planes.stride.width, n, row + place);
    });
    for (std::size_t j = 0; j < planes.out.width; ++j) row[j] /= elements;
  });
  return result;
}

template <class T>
Tensor<T> avgPoolDerivative(const Tensor<T>& delta, const Shape& x, const Pooling& pooling) {
  const PooledPlanes planes("avgPool2d", x, pooling);
  planes.requireDelta("avgPool2d", delta.shape());
  const auto elements = static_cast<T>(planes.window.height * planes.window.width);
  auto result = Tensor<T>::zeros(x);
  T* const out = result.exclusiveData();
  planes.forEachLine([&](std::size_t from, std::size_t to, std::size_t line) {
    planes.forEachElement(line, [&](std::size_t at, std::size_t place, std::size_t n) {
      const T* const share = delta.data() + to + place;
      T* const seen = out + from + at;
      for (std::size_t j = 0; j < n; ++j) seen[j * planes.stride.width] += share[j] / elements;
    });
  });
  return result;
}

#define TAPESTRY_INSTANTIATE(T)                                                             \
  template Tensor<T> maxPool(const Tensor<T>&, const Pooling&);                             \
  template Tensor<T> maxPoolDerivative(const Tensor<T>&, const Tensor<T>&, const Pooling&); \
  template Tensor<T> avgPool(const Tensor<T>&, const Pooling&);                             \
  template Tensor<T> avgPoolDerivative(const Tensor<T>&, const Shape&, const Pooling&);
TAPESTRY_INSTANTIATE(float)
TAPESTRY_INSTANTIATE(double)
#undef TAPESTRY_INSTANTIATE

}  // namespace tapestry::kernels
#pragma GCC visibility pop
#endif
