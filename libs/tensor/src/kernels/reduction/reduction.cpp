#include <tapestry/tensor/kernels/reduction.hpp>

#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include <tapestry/tensor/kernels/arithmetic.hpp>
#include <tapestry/tensor/kernels/elementwise.hpp>
#include <tapestry/tensor/shape_error.hpp>

#include "kernels/layout/walk.hpp"
#include "kernels/reduction/summation.hpp"
#include "kernels/rows/row_loops.hpp"

#pragma GCC visibility push(default)
namespace tapestry::kernels {

namespace {

using Chosen = std::bitset<Shape::maxRank>;

template <class T>
Tensor<T> sumOver(const Tensor<T>& x, const Chosen& summed, bool keepDims) {
  const Shape shape = reducedShape(x.shape(), summed, keepDims);
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

namespace {

/// Calls body(offset in x, offset in the reduced result) for each element of x.
template <class F>
void forEachElement(const Shape& x, const Shape& kept, const F& body) {
  if (x.size() == 0) return;
  const Walk walk(x, kept, x);
  walk.forEachRow([&, n = walk.rowLength()](std::size_t i, std::size_t o) {
    for (std::size_t k = 0; k < n; ++k) body(walk.repeatsA() ? i : i + k, walk.repeatsB() ? o : o + k);
  });
}

}  // namespace

template <class T>
Tensor<T> max(const Tensor<T>& x, const Axes& axes, bool keepDims, std::string_view operation) {
  const Chosen chosen = axes.resolve(x.shape(), operation);
  const Shape kept = reducedShape(x.shape(), chosen, true);
  if (x.size() == 0 && kept.size() != 0)
    throw ShapeError(operation, "nothing to choose from", toString(x.shape()), "axes with extents above 0");
  auto result = Tensor<T>::full(kept, -std::numeric_limits<T>::infinity());
  T* const out = result.exclusiveData();
  forEachElement(x.shape(), kept,
                 [out, from = x.data()](std::size_t i, std::size_t o) { out[o] = maximum(out[o], from[i]); });
  return keepDims ? result : result.reshape(reducedShape(x.shape(), chosen, false));
}

template <class T>
Tensor<T> maxDerivative(const Tensor<T>& delta, const Tensor<T>& x, const Axes& axes) {
  const Shape kept = reducedShape(x.shape(), axes.resolve(x.shape(), "max"), true);
  auto result = Tensor<T>::uninitialized(x.shape());
  if (x.size() == 0) return result;
  const Tensor<T> most = max(x, axes, true);
  auto ties = Tensor<T>::zeros(kept);
  T* const tie = ties.exclusiveData();
  T* const out = result.exclusiveData();
  const T* const from = x.data();
  const T* const top = most.data();
  const T* const share = delta.data();
  forEachElement(x.shape(), kept,
                 [&](std::size_t i, std::size_t o) { tie[o] += from[i] == top[o] ? T{1} : T{0}; });
  forEachElement(x.shape(), kept, [&](std::size_t i, std::size_t o) {
    out[i] = from[i] == top[o] ? share[o] / tie[o] : T{0};
  });
  return result;
}

namespace {

/// Returns the largest elements along the axes; they are subtracted from x, so that no exp overflows.
template <class T>
Tensor<T> largestOf(const Tensor<T>& x, const Axes& axes, const Chosen& chosen) {
  if (x.size() == 0) return Tensor<T>::zeros(reducedShape(x.shape(), chosen, true));
  return max(x, axes, true);
}

}  // namespace

template <class T>
Tensor<T> logSumExp(const Tensor<T>& x, const Axes& axes, bool keepDims) {
  const Chosen chosen = axes.resolve(x.shape(), "logSumExp");
  Tensor<T> shift = largestOf(x, axes, chosen);
  // inf must not be subtracted from itself
  for (T& value : std::span(shift.exclusiveData(), shift.size()))
    if (std::isinf(value)) value = 0;
  Tensor<T> sums = sumOver(exp(subtract(x, shift)), chosen, true);
  const Tensor<T> result = add(log(std::move(sums)), shift);
  return keepDims ? result : result.reshape(reducedShape(x.shape(), chosen, false));
}

template <class T>
Tensor<T> softmax(const Tensor<T>& x, const Axes& axes) {
  const Chosen chosen = axes.resolve(x.shape(), "softmax");
  // where the largest is infinite, its difference from itself is NaN, and so are the sum and the whole row
  const Tensor<T> powers = exp(subtract(x, largestOf(x, axes, chosen)));
  return divide(powers, sumOver(powers, chosen, true));
}

template <class T>
Tensor<T> logSoftmax(const Tensor<T>& x, const Axes& axes) {
  const Chosen chosen = axes.resolve(x.shape(), "logSoftmax");
  const Tensor<T> shifted = subtract(x, largestOf(x, axes, chosen));
  return subtract(shifted, log(sumOver(exp(shifted), chosen, true)));
}

#define TAPESTRY_INSTANTIATE(T)                                                      \
  template T sum(const Tensor<T>&);                                                  \
  template Tensor<T> sum(const Tensor<T>&, const Axes&, bool);                       \
  template Tensor<T> mean(const Tensor<T>&, const Axes&, bool);                      \
  template Tensor<T> max(const Tensor<T>&, const Axes&, bool, std::string_view);     \
  template Tensor<T> maxDerivative(const Tensor<T>&, const Tensor<T>&, const Axes&); \
  template Tensor<T> softmax(const Tensor<T>&, const Axes&);                         \
  template Tensor<T> logSoftmax(const Tensor<T>&, const Axes&);                      \
  template Tensor<T> logSumExp(const Tensor<T>&, const Axes&, bool);
TAPESTRY_INSTANTIATE(float)
TAPESTRY_INSTANTIATE(double)
#undef TAPESTRY_INSTANTIATE

}  // namespace tapestry::kernels
#pragma GCC visibility pop
