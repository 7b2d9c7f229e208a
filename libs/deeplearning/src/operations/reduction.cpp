#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "tapestry/deeplearning/operations/reduction/argmax.hpp"
#include "tapestry/tensor/axes.hpp"
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
#pragma GCC visibility pop
