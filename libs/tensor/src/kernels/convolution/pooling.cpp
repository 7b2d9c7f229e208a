#include <tapestry/tensor/kernels/pooling.hpp>

#include <algorithm>
#include <limits>
#include <vector>

#include <tapestry/tensor/kernels/arithmetic.hpp>
#include <tapestry/tensor/shape_error.hpp>

#include "kernels/convolution/pooled_planes.hpp"
#include "kernels/convolution/pooling_loops.hpp"

#pragma GCC visibility push(default)
namespace tapestry::kernels {

namespace {

template <class T>
void maxOfLine(const PooledPlanes& planes, std::size_t line, const T* plane, T* out) {
  std::fill_n(out, planes.out.width, -std::numeric_limits<T>::infinity());
  planes.forEachElement(line, [&](std::size_t at, std::size_t place, std::size_t n) {
    poolingLoops<T>().largest(plane + at, planes.stride.width, n, out + place);
  });
}

void requireDelta(std::string_view operation, const Shape& delta, const PooledPlanes& planes) {
  if (delta != planes.shape)
    throw ShapeError(operation, "a delta of the wrong shape", toString(delta), toString(planes.shape));
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
  requireDelta("maxPool2d", delta.shape(), planes);
  auto result = Tensor<T>::zeros(x.shape());
  T* const out = result.exclusiveData();
  std::vector<T> most(planes.out.width);
  std::vector<T> share(planes.out.width);
  planes.forEachLine([&](std::size_t from, std::size_t to, std::size_t line) {
    const T* const plane = x.data() + from;
    maxOfLine(planes, line, plane, most.data());
    std::fill(share.begin(), share.end(), T{0});
    planes.forEachElement(line, [&](std::size_t at, std::size_t place, std::size_t n) {
      poolingLoops<T>().count(plane + at, planes.stride.width, n, most.data() + place, share.data() + place);
    });
    for (std::size_t j = 0; j < planes.out.width; ++j) share[j] = delta.data()[to + j] / share[j];
    planes.forEachElement(line, [&](std::size_t at, std::size_t place, std::size_t n) {
      poolingLoops<T>().spreadToLargest(plane + at, planes.stride.width, n, most.data() + place,
                                        share.data() + place, out + from + at);
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
  planes.forEachLine([&](std::size_t from, std::size_t to, std::size_t line) {
    const T* const plane = x.data() + from;
    T* const row = out + to;
    planes.forEachElement(line, [&](std::size_t at, std::size_t place, std::size_t n) {
      poolingLoops<T>().add(plane + at, planes.stride.width, n, row + place);
    });
    for (std::size_t j = 0; j < planes.out.width; ++j) row[j] /= elements;
  });
  return result;
}

template <class T>
Tensor<T> avgPoolDerivative(const Tensor<T>& delta, const Shape& x, const Pooling& pooling) {
  const PooledPlanes planes("avgPool2d", x, pooling);
  requireDelta("avgPool2d", delta.shape(), planes);
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
