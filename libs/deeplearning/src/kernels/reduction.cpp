#include <tapestry/deeplearning/kernels/reduction.hpp>

#include <span>

#include <tapestry/deeplearning/kernels/arithmetic.hpp>

#include "kernels/row_loops.hpp"
#include "kernels/summation.hpp"

namespace tapestry::kernels {

namespace {

using Chosen = std::bitset<Shape::maxRank>;

Shape reduced(const Shape& shape, const Chosen& summed, bool keepDims) {
  std::array<std::size_t, Shape::maxRank> extents{};
  std::size_t rank = 0;
  for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
    if (!summed[axis])
      extents[rank++] = shape[axis];
    else if (keepDims)
      extents[rank++] = 1;
  }
  return Shape(std::span(extents.data(), rank));
}

template <class T>
Tensor<T> sumOver(const Tensor<T>& x, const Chosen& summed, bool keepDims) {
  const Shape shape = reduced(x.shape(), summed, keepDims);
  if (x.size() == 0) return Tensor<T>::zeros(shape);
  auto result = Tensor<T>::uninitialized(shape);
  Summation<T>(x.shape(), summed).run(x.data(), result.exclusiveData());
  return result;
}

}  // namespace

template <class T>
T sum(const Tensor<T>& x) {
  return rowLoops<T>().sum(x.data(), x.size());
}

template <class T>
Tensor<T> sum(const Tensor<T>& x, const Axes& axes, bool keepDims) {
  return sumOver(x, axes.resolve(x.shape(), "sum"), keepDims);
}

template <class T>
Tensor<T> mean(const Tensor<T>& x, const Axes& axes, bool keepDims) {
  const Chosen summed = axes.resolve(x.shape(), "mean");
  std::size_t terms = 1;
  for (std::size_t axis = 0; axis < x.rank(); ++axis)
    if (summed[axis]) terms *= x.shape()[axis];
  return divide(sumOver(x, summed, keepDims), static_cast<T>(terms));
}

#define TAPESTRY_INSTANTIATE(T)                                \
  template T sum(const Tensor<T>&);                            \
  template Tensor<T> sum(const Tensor<T>&, const Axes&, bool); \
  template Tensor<T> mean(const Tensor<T>&, const Axes&, bool);
TAPESTRY_INSTANTIATE(float)
TAPESTRY_INSTANTIATE(double)
#undef TAPESTRY_INSTANTIATE

}  // namespace tapestry::kernels
