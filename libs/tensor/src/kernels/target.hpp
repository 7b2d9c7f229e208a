// Defines targetFor, the tensor that a kernel writes to, inPlace, which runs a loop on it, and
// requireSameShape.
#pragma once

#include <string_view>
#include <utility>

#include <tapestry/tensor/shape_error.hpp>
#include <tapestry/tensor/tensor.hpp>

namespace tapestry::kernels {

/// Throws ShapeError, naming `operation`, unless x and `like` have the same shape.
template <class T>
void requireSameShape(std::string_view operation, const Tensor<T>& x, const Tensor<T>& like) {
  if (x.shape() != like.shape())
    throw ShapeError(operation, "the shapes differ", toString(x.shape()), toString(like.shape()));
}

/// Returns x itself if its values may change in place, else a new tensor of its shape; x is moved from only
/// in the first case. So a pointer x.data() taken before stays valid as long as both exist.
template <class T>
Tensor<T> targetFor(Tensor<T>&& x) {
  return x.unique() ? std::move(x) : Tensor<T>::uninitialized(x.shape());
}

/// Returns what loop(x.data(), n, out) writes, in place if x is unique.
template <class T, class F>
Tensor<T> inPlace(Tensor<T> x, const F& loop) {
  const T* const from = x.data();
  Tensor<T> result = targetFor(std::move(x));
  loop(from, result.size(), result.exclusiveData());
  return result;
}

/// Returns what loop(x.data(), y.data(), n, out) writes, in place if x is unique; throws as requireSameShape
/// does.
template <class T, class F>
Tensor<T> inPlace(std::string_view operation, Tensor<T> x, const Tensor<T>& y, const F& loop) {
  requireSameShape(operation, x, y);
  return inPlace(std::move(x), [&](const T* from, std::size_t n, T* out) { loop(from, y.data(), n, out); });
}

}  // namespace tapestry::kernels
