// Defines the elementwise comparisons, which broadcast, over tensors and scalars alike.
#pragma once

#include <concepts>
#include <type_traits>

#include <tapestry/tensor/tensor.hpp>

namespace tapestry::kernels {

// 1 where it holds, else 0. NaN differs from everything, and is neither less nor greater. Shapes broadcast as
// in NumPy, else ShapeError names the function and both. Where a tensor comes by value, has the result's
// shape, and the caller hands over its only handle, the result is written in its place.

template <class T>
Tensor<T> greater(Tensor<T> a, const Tensor<T>& b);
template <class T>
Tensor<T> greaterEqual(Tensor<T> a, const Tensor<T>& b);
template <class T>
Tensor<T> less(Tensor<T> a, const Tensor<T>& b);
template <class T>
Tensor<T> lessEqual(Tensor<T> a, const Tensor<T>& b);
template <class T>
Tensor<T> equal(Tensor<T> a, const Tensor<T>& b);
template <class T>
Tensor<T> notEqual(Tensor<T> a, const Tensor<T>& b);

template <class T>
Tensor<T> greater(Tensor<T> a, std::type_identity_t<T> b);
template <class T>
Tensor<T> greaterEqual(Tensor<T> a, std::type_identity_t<T> b);
template <class T>
Tensor<T> less(Tensor<T> a, std::type_identity_t<T> b);
template <class T>
Tensor<T> lessEqual(Tensor<T> a, std::type_identity_t<T> b);
template <class T>
Tensor<T> equal(Tensor<T> a, std::type_identity_t<T> b);
template <class T>
Tensor<T> notEqual(Tensor<T> a, std::type_identity_t<T> b);

template <class T>
Tensor<T> greater(std::type_identity_t<T> a, Tensor<T> b);
template <class T>
Tensor<T> greaterEqual(std::type_identity_t<T> a, Tensor<T> b);
template <class T>
Tensor<T> less(std::type_identity_t<T> a, Tensor<T> b);
template <class T>
Tensor<T> lessEqual(std::type_identity_t<T> a, Tensor<T> b);
template <class T>
Tensor<T> equal(std::type_identity_t<T> a, Tensor<T> b);
template <class T>
Tensor<T> notEqual(std::type_identity_t<T> a, Tensor<T> b);

template <std::floating_point T>
T greater(T a, T b) noexcept {
  return a > b ? T{1} : T{0};
}

template <std::floating_point T>
T greaterEqual(T a, T b) noexcept {
  return a >= b ? T{1} : T{0};
}

template <std::floating_point T>
T less(T a, T b) noexcept {
  return a < b ? T{1} : T{0};
}

template <std::floating_point T>
T lessEqual(T a, T b) noexcept {
  return a <= b ? T{1} : T{0};
}

template <std::floating_point T>
T equal(T a, T b) noexcept {
  return a == b ? T{1} : T{0};
}

template <std::floating_point T>
T notEqual(T a, T b) noexcept {
  return a != b ? T{1} : T{0};
}

}  // namespace tapestry::kernels
