#include <tapestry/tensor/kernels/reduction.hpp>

#include <cstddef>
#include <limits>

#include <tapestry/tensor/kernels/arithmetic.hpp>
#include <tapestry/tensor/shape_error.hpp>

#include "kernels/layout/walk.hpp"

#pragma GCC visibility push(default)
namespace tapestry::kernels {

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
  const auto chosen = axes.resolve(x.shape(), operation);
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
  if (delta.size() != kept.size())
    throw ShapeError("max", "the delta has another size", toString(delta.shape()), toString(kept));
  auto result = Tensor<T>::uninitialized(x.shape());
  if (x.size() == 0) return result;
  const Tensor<T> most = max(x, axes, true);
  auto ties = Tensor<double>::zeros(kept);  // not of T: a float cannot count beyond 2^24
  double* const tie = ties.exclusiveData();
  T* const out = result.exclusiveData();
  const T* const from = x.data();
  const T* const top = most.data();
  const T* const share = delta.data();
  forEachElement(x.shape(), kept,
                 [&](std::size_t i, std::size_t o) { tie[o] += from[i] == top[o] ? 1.0 : 0.0; });
  forEachElement(x.shape(), kept, [&](std::size_t i, std::size_t o) {
    out[i] = from[i] == top[o] ? share[o] / static_cast<T>(tie[o]) : T{0};
  });
  return result;
}

#define TAPESTRY_INSTANTIATE(T)                                                  \
  template Tensor<T> max(const Tensor<T>&, const Axes&, bool, std::string_view); \
  template Tensor<T> maxDerivative(const Tensor<T>&, const Tensor<T>&, const Axes&);
TAPESTRY_INSTANTIATE(float)
TAPESTRY_INSTANTIATE(double)
#undef TAPESTRY_INSTANTIATE

}  // namespace tapestry::kernels
#pragma GCC visibility pop
