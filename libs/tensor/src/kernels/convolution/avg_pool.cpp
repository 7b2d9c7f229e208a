#include <tapestry/tensor/kernels/pooling.hpp>

#include <cstddef>

#include "kernels/convolution/pooled_line_inl.hpp"
#include "kernels/convolution/pooled_planes.hpp"
#include "kernels/dispatch.hpp"

HWY_BEFORE_NAMESPACE();
namespace tapestry::kernels::HWY_NAMESPACE {
namespace {

// sums[j] grows by x[j * stride].
template <class T>
void sumLoop(const T* x, std::size_t stride, std::size_t n, T* sums) {
  alongLine<T>(stride, n, [=](auto d, const auto& line, std::size_t j) HWY_ATTR {
    Adjacent().add(d, line.load(d, x, j), sums, j);
  });
}

TAPESTRY_EXPORT_LOOP(sumLoop)

}  // namespace
}  // namespace tapestry::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#pragma GCC visibility push(default)
namespace tapestry::kernels {

TAPESTRY_DISPATCH_LOOP(sumLoop)

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

template Tensor<float> avgPool(const Tensor<float>&, const Pooling&);
template Tensor<float> avgPoolDerivative(const Tensor<float>&, const Shape&, const Pooling&);
template Tensor<double> avgPool(const Tensor<double>&, const Pooling&);
template Tensor<double> avgPoolDerivative(const Tensor<double>&, const Shape&, const Pooling&);

}  // namespace tapestry::kernels
#pragma GCC visibility pop
#endif
