// Defines targetFor, the tensor that a kernel writes to.
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

}  // namespace tapestry::kernels
