#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tapestry/deeplearning/operations/reduction/argmax.hpp"
#include "tapestry/deeplearning/operations/reduction/norm.hpp"
#include "tapestry/tensor/axes.hpp"
#include "tapestry/tensor/kernels/arithmetic.hpp"
#include "tapestry/tensor/kernels/reduction.hpp"
#include "tapestry/tensor/shape_error.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace {

template <class T>
std::int64_t firstLargest(const T* values, std::size_t count, std::size_t stride) {
  std::size_t best = 0;
  for (std::size_t i = 0; i < count && !std::isnan(values[best * stride]); ++i)
    if (!(values[i * stride] <= values[best * stride])) best = i;
  return static_cast<std::int64_t>(best);
}

}  // namespace

template <class T>
Indices argmax(const Tensor<T>& x, std::ptrdiff_t axis, bool keepDims) {
  const Shape& shape = x.shape();
  const std::size_t along = resolveAxis(axis, shape, "argmax");
  const std::size_t count = shape[along];
  if (count == 0)
    throw ShapeError("argmax", "nothing to choose from",
                     toString(shape) + " along axis " + std::to_string(along), "an extent of at least 1");
  std::size_t inner = 1;
  for (std::size_t i = along + 1; i < shape.rank(); ++i) inner *= shape[i];
  std::vector<std::int64_t> found;
  found.reserve(x.size() / count);
  for (std::size_t first = 0; first < x.size(); first += count * inner)
    for (std::size_t i = 0; i < inner; ++i) found.push_back(firstLargest(x.data() + first + i, count, inner));
  return Indices(reducedShape(shape, Axes({axis}).resolve(shape, "argmax"), keepDims), std::move(found));
}

template Indices argmax(const Tensor<float>&, std::ptrdiff_t, bool);
template Indices argmax(const Tensor<double>&, std::ptrdiff_t, bool);

}  // namespace tapestry

namespace tapestry::detail {

template <class T>
Tensor<T> norm(const Tensor<T>& x, const Axes& axes, bool keepDims) {
  static_cast<void>(axes.resolve(x.shape(), "norm"));
  Tensor<T> result = kernels::sum(kernels::multiply(x, x), axes, keepDims);
  for (T& value : std::span(result.exclusiveData(), result.size())) value = std::sqrt(value);
  return result;
}

template <class T>
Tensor<T> normDerivative(const Tensor<T>& delta, const Tensor<T>& x, const Axes& axes) {
  Tensor<T> perLength = norm(x, axes, true);
  for (T& value : std::span(perLength.exclusiveData(), perLength.size())) value = value == 0 ? 0 : 1 / value;
  const Tensor<T> kept = withReducedAxes(delta, x.shape(), axes, "norm");
  return kernels::multiply(x, kernels::multiply(std::move(perLength), kept));
}

#define TAPESTRY_INSTANTIATE(T)                                 \
  template Tensor<T> norm(const Tensor<T>&, const Axes&, bool); \
  template Tensor<T> normDerivative(const Tensor<T>&, const Tensor<T>&, const Axes&);
TAPESTRY_INSTANTIATE(float)
TAPESTRY_INSTANTIATE(double)
#undef TAPESTRY_INSTANTIATE

}  // namespace tapestry::detail
#pragma GCC visibility pop
