#include <tapestry/tensor/kernels/broadcast.hpp>

#include <algorithm>
#include <bitset>
#include <utility>

#include <tapestry/tensor/shape_error.hpp>

#include "kernels/layout/walk.hpp"
#include "kernels/reduction/sum.hpp"

#pragma GCC visibility push(default)
namespace tapestry::kernels {

void requireBroadcast(std::string_view operation, const Shape& from, const Shape& to) {
  bool fits = from.rank() <= to.rank();
  for (std::size_t axis = 0; fits && axis < from.rank(); ++axis)
    fits = from[axis] == 1 || from[axis] == to[to.rank() - from.rank() + axis];
  if (!fits)
    throw ShapeError(operation, "shapes do not broadcast", toString(from) + " to " + toString(to),
                     "extents that are equal or 1 in the first, aligned at the last axis");
}

namespace {

// The axes of `to` that broadcasting from `from` adds or stretches.
std::bitset<Shape::maxRank> stretched(const Shape& from, const Shape& to) {
  const std::size_t added = to.rank() - from.rank();
  std::bitset<Shape::maxRank> axes;
  for (std::size_t axis = 0; axis < to.rank(); ++axis) axes[axis] = axis < added || from[axis - added] == 1;
  return axes;
}

}  // namespace

template <class T>
Tensor<T> broadcastTo(const Tensor<T>& x, const Shape& shape) {
  if (x.shape() == shape) return x;
  requireBroadcast("broadcastTo", x.shape(), shape);
  auto result = Tensor<T>::uninitialized(shape);
  if (result.size() == 0) return result;
  const Walk walk(x.shape(), shape, shape);
  T* out = result.exclusiveData();
  walk.forEachRow([&, from = x.data(), n = walk.rowLength()](std::size_t i, std::size_t) {
    out = walk.repeatsA() ? std::fill_n(out, n, from[i]) : std::copy_n(from + i, n, out);
  });
  return result;
}

template <class T>
Tensor<T> sumTo(const Tensor<T>& x, const Shape& shape) {
  if (x.shape() == shape) return x;
  requireBroadcast("sumTo", shape, x.shape());
  if (x.size() == 0) return Tensor<T>::zeros(shape);
  auto result = Tensor<T>::uninitialized(shape);
  Summation<T>(x.shape(), stretched(shape, x.shape())).run(x.data(), result.exclusiveData());
  return result;
}

#define TAPESTRY_INSTANTIATE(T)                                   \
  template Tensor<T> broadcastTo(const Tensor<T>&, const Shape&); \
  template Tensor<T> sumTo(const Tensor<T>&, const Shape&);
TAPESTRY_INSTANTIATE(float)
TAPESTRY_INSTANTIATE(double)
#undef TAPESTRY_INSTANTIATE

}  // namespace tapestry::kernels
#pragma GCC visibility pop
