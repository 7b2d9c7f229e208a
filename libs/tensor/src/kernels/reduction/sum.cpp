#include <tapestry/tensor/kernels/reduction.hpp>

#include <algorithm>
#include <bitset>
#include <cstddef>

#include <tapestry/tensor/kernels/arithmetic.hpp>

#include "kernels/dispatch.hpp"
#include "kernels/product/backends.hpp"
#include "kernels/reduction/pairwise_sum_inl.hpp"
#include "kernels/reduction/sum.hpp"

HWY_BEFORE_NAMESPACE();
namespace tapestry::kernels::HWY_NAMESPACE {
namespace {

template <class T>
T sumLoop(const T* x, std::size_t n) {
  return pairwiseSum<T>(Values<T>{x}, 0, n);
}

// out[i] = the sum of row i.
template <class T>
void sumEachRowLoop(const T* x, std::size_t rows, std::size_t n, T* out) {
  for (std::size_t i = 0; i < rows; ++i) out[i] = sumLoop(x + i * n, n);
}

// out = the sum of all rows in order; there is at least one row. The sums of few columns stay in registers.
template <class T>
void sumRowsLoop(const T* matrix, std::size_t rows, std::size_t columns, T* out) {
  if (columns > 128) {
    std::copy_n(matrix, columns, out);
    for (std::size_t i = 1; i < rows; ++i) addEach(matrix + i * columns, columns, out);
  } else {
    forEachVector<T>(columns, [=](const auto& access, std::size_t j) HWY_ATTR {
      auto sum = access.load(matrix + j);
      for (std::size_t i = 1; i < rows; ++i) sum = hn::Add(sum, access.load(matrix + i * columns + j));
      access.store(sum, out + j);
    });
  }
}

TAPESTRY_EXPORT_LOOP(sumLoop)
TAPESTRY_EXPORT_LOOP(sumEachRowLoop)
TAPESTRY_EXPORT_LOOP(sumRowsLoop)

}  // namespace
}  // namespace tapestry::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tapestry::kernels {

TAPESTRY_DISPATCH_LOOP(sumLoop)
TAPESTRY_DISPATCH_LOOP(sumEachRowLoop)
TAPESTRY_DISPATCH_LOOP(sumRowsLoop)

template <class T>
T sumOf(const T* x, std::size_t n) noexcept {
  return sumLoop<T>()(x, n);
}

template <class T>
Summation<T>::Summation(const Shape& shape, const std::bitset<Shape::maxRank>& summed) noexcept {
  for (std::size_t i = 0; i < shape.rank(); ++i) {
    if (shape[i] == 1) continue;
    if (count_ != 0 && axes_[count_ - 1].summed == summed[i])
      axes_[count_ - 1].extent *= shape[i];
    else
      axes_[count_++] = {shape[i], summed[i]};
  }
  if (count_ == 0) count_ = 1;
  for (std::size_t i = count_ - 1; i-- > 0;) {
    const Axis& inner = axes_[i + 1];
    axes_[i].stride = inner.stride * inner.extent;
    axes_[i].room = inner.summed ? inner.room : inner.room * inner.extent;
  }
}

template <class T>
void Summation<T>::runFrom(std::size_t axis, const T* x, T* out) const {
  const auto& [extent, summed, stride, room] = axes_[axis];
  const bool innermost = axis + 1 == count_;
  if (innermost && summed)
    *out = sumOf(x, extent);
  else if (innermost)
    std::copy_n(x, extent, out);
  else if (summed)
    fold(axis, x, extent, out);
  else if (axis + 2 == count_)
    sumEachRowLoop<T>()(x, extent, stride, out);
  else
    for (std::size_t i = 0; i < extent; ++i) runFrom(axis + 1, x + i * stride, out + i * room);
}

template <class T>
void Summation<T>::fold(std::size_t axis, const T* x, std::size_t steps, T* out) const {
  constexpr std::size_t linear = 64;
  const auto& [extent, summed, stride, room] = axes_[axis];
  if (steps <= linear && axis + 2 == count_) return sumRowsLoop<T>()(x, steps, room, out);
  if (steps <= linear) {
    runFrom(axis + 1, x, out);
    for (std::size_t i = 1; i < steps; ++i) addStep(axis + 1, x + i * stride, out);
    return;
  }
  const std::size_t half = steps / 2;
  auto second = Tensor<T>::uninitialized({room});
  fold(axis, x, half, out);
  fold(axis, x + half * stride, steps - half, second.exclusiveData());
  addRow(second.data(), 1, room, out);
}

template <class T>
void Summation<T>::addStep(std::size_t axis, const T* x, T* out) const {
  const std::size_t room = axes_[axis - 1].room;
  auto step = Tensor<T>::uninitialized({room});
  runFrom(axis, x, step.exclusiveData());
  addRow(step.data(), 1, room, out);
}

template class Summation<float>;
template class Summation<double>;
template float sumOf(const float*, std::size_t) noexcept;
template double sumOf(const double*, std::size_t) noexcept;

}  // namespace tapestry::kernels

#pragma GCC visibility push(default)
namespace tapestry::kernels {

namespace {

template <class T>
Tensor<T> sumOver(const Tensor<T>& x, const std::bitset<Shape::maxRank>& summed, bool keepDims) {
  const Shape shape = reducedShape(x.shape(), summed, keepDims);
  if (x.size() == 0) return Tensor<T>::zeros(shape);
  auto result = Tensor<T>::uninitialized(shape);
  Summation<T>(x.shape(), summed).run(x.data(), result.exclusiveData());
  return result;
}

}  // namespace

template <class T>
T sum(const Tensor<T>& x) {
  return sumLoop<T>()(x.data(), x.size());
}

template <class T>
Tensor<T> sum(const Tensor<T>& x, const Axes& axes, bool keepDims) {
  return sumOver(x, axes.resolve(x.shape(), "sum"), keepDims);
}

template <class T>
Tensor<T> mean(const Tensor<T>& x, const Axes& axes, bool keepDims) {
  const auto summed = axes.resolve(x.shape(), "mean");
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
#pragma GCC visibility pop
#endif
