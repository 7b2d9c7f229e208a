#include <tapestry/tensor/kernels/pooling.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include "kernels/convolution/pooled_line_inl.hpp"
#include "kernels/convolution/pooled_planes.hpp"
#include "kernels/dispatch.hpp"

HWY_BEFORE_NAMESPACE();
namespace tapestry::kernels::HWY_NAMESPACE {
namespace {

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

TAPESTRY_EXPORT_LOOP(largestLoop)
TAPESTRY_EXPORT_LOOP(countLoop)
TAPESTRY_EXPORT_LOOP(spreadToLargestLoop)

}  // namespace
}  // namespace tapestry::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#pragma GCC visibility push(default)
namespace tapestry::kernels {

TAPESTRY_DISPATCH_LOOP(largestLoop)
TAPESTRY_DISPATCH_LOOP(countLoop)
TAPESTRY_DISPATCH_LOOP(spreadToLargestLoop)

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

template Tensor<float> maxPool(const Tensor<float>&, const Pooling&);
template Tensor<float> maxPoolDerivative(const Tensor<float>&, const Tensor<float>&, const Pooling&);
template Tensor<double> maxPool(const Tensor<double>&, const Pooling&);
template Tensor<double> maxPoolDerivative(const Tensor<double>&, const Tensor<double>&, const Pooling&);

}  // namespace tapestry::kernels
#pragma GCC visibility pop
#endif
