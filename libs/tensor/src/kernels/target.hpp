// Defines targetFor, the tensor that a kernel writes to, and inPlace, which runs a loop on it.
#pragma once

#include <utility>

#include <tapestry/tensor/tensor.hpp>

namespace tapestry::kernels {

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

}  // namespace tapestry::kernels
