#include <tapestry/tensor/kernels/standardize.hpp>

#include <cmath>
#include <cstddef>
#include <sstream>
#include <stdexcept>

#include "kernels/dispatch.hpp"
#include "kernels/product/backends.hpp"
#include "kernels/reduction/pairwise_sum_inl.hpp"
#include "kernels/reduction/sum.hpp"
#include "kernels/target.hpp"

HWY_BEFORE_NAMESPACE();
namespace tapestry::kernels::HWY_NAMESPACE {
namespace {

// Writes the standardized row; returns the factor applied to the distances from the mean.
template <class T>
T standardizeLoop(const T* row, std::size_t n, T epsilon, T* out) {
  const T count = static_cast<T>(n);
  const T mean = pairwiseSum<T>(Values<T>{row}, 0, n) / count;
  forEachVector<T>(n, [=](const auto& access, std::size_t i) HWY_ATTR {
    access.store(hn::Sub(access.load(row + i), hn::Set(access.d, mean)), out + i);
  });
  const T variance = pairwiseSum<T>(Products<T>{out, out}, 0, n) / count;
  const T scale = 1 / std::sqrt(variance + epsilon);
  multiplyEach(out, scale, n, out);
  return scale;
}

TAPESTRY_EXPORT_LOOP(standardizeLoop)

}  // namespace
}  // namespace tapestry::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#pragma GCC visibility push(default)
namespace tapestry::kernels {

TAPESTRY_DISPATCH_LOOP(standardizeLoop)

namespace {

// Returns the number of elements that the axes span if they are the last axes, else 0.
std::size_t rowLength(const Shape& shape, const Axes& axes) {
  const auto chosen = axes.resolve(shape, "layerNorm");
  std::size_t length = 1;
  std::size_t axis = shape.rank();
  for (; axis > 0 && chosen[axis - 1]; --axis) length *= shape[axis - 1];
  for (; axis > 0; --axis)
    if (chosen[axis - 1]) return 0;
  return length;
}

}  // namespace

void Standardization::requireValid(std::string_view operation) const {
  if (std::isfinite(epsilon) && epsilon >= 0) return;
  std::ostringstream message;
  message << "tapestry::" << operation << ": epsilon out of range, got " << epsilon
          << ", expected at least 0";
  throw std::invalid_argument(message.str());
}

template <class T>
Tensor<T> standardize(const Tensor<T>& x, const Standardization& standardization) {
  const std::size_t n = rowLength(x.shape(), standardization.axes);
  if (n == 0) return Standardized<Tensor<T>>(x, standardization).value();
  auto result = Tensor<T>::uninitialized(x.shape());
  T* const out = result.exclusiveData();
  const auto standardizeRow = standardizeLoop<T>();
  for (std::size_t row = 0; row < x.size(); row += n)
    standardizeRow(x.data() + row, n, static_cast<T>(standardization.epsilon), out + row);
  return result;
}

template <class T>
Tensor<T> standardizeDerivative(const Tensor<T>& delta, const Tensor<T>& x,
                                const Standardization& standardization) {
  requireSameShape("layerNorm", delta, x);
  const Axes& axes = standardization.axes;
  const std::size_t n = rowLength(x.shape(), axes);
  if (n == 0) return Standardized<Tensor<T>>(x, standardization).deltaOf(delta, axes);
  auto result = Tensor<T>::uninitialized(x.shape());
  const auto standardizeRow = standardizeLoop<T>();
  for (std::size_t row = 0; row < x.size(); row += n) {
    const T* const d = delta.data() + row;
    T* const out = result.exclusiveData() + row;
    const T scale = standardizeRow(x.data() + row, n, static_cast<T>(standardization.epsilon), out);
    const T mean = sumOf(d, n) / static_cast<T>(n);
    const T along = dot(d, out, n) / static_cast<T>(n);
    for (std::size_t i = 0; i < n; ++i) out[i] = (d[i] - mean - out[i] * along) * scale;
  }
  return result;
}

#define TAPESTRY_INSTANTIATE(T)                                             \
  template Tensor<T> standardize(const Tensor<T>&, const Standardization&); \
  template Tensor<T> standardizeDerivative(const Tensor<T>&, const Tensor<T>&, const Standardization&);
TAPESTRY_INSTANTIATE(float)
TAPESTRY_INSTANTIATE(double)
#undef TAPESTRY_INSTANTIATE

}  // namespace tapestry::kernels
#pragma GCC visibility pop
#endif
