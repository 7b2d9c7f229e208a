// Defines the elementwise comparisons of tensors or scalars, which broadcast.
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

#include <tapestry/tensor/kernels/own_kernels.hpp>
#include <tapestry/tensor/tensor.hpp>

namespace tapestry::kernels {

// Each result is 1 where the comparison holds, else 0. NaN differs from everything, and is neither less nor
// greater. Shapes broadcast as in NumPy, else ShapeError names the function and both shapes. If a tensor that
// is passed by value has the result's shape and the caller moves its only handle in, the result is written in
// place.

// Declares the function for tensors and for a tensor and a scalar, and defines it for scalars.
#define TAPESTRY_DECLARE(name, value)                                                \
  template <class T>                                                                 \
  Tensor<T> name(Tensor<T> a, const Tensor<T>& b);                                   \
  template <class T>                                                                 \
  Tensor<T> name(Tensor<T> a, std::type_identity_t<T> b);                            \
  template <class T>                                                                 \
  Tensor<T> name(std::type_identity_t<T> a, Tensor<T> b);                            \
  template <OwnKernels X>                                                            \
  auto name(X a, X b)->decltype(X::Kernels::name(std::move(a), std::move(b))) {      \
    return X::Kernels::name(std::move(a), std::move(b));                             \
  }                                                                                  \
  template <OwnKernels X>                                                            \
  auto name(X a, typename X::Value b)->decltype(X::Kernels::name(std::move(a), b)) { \
    return X::Kernels::name(std::move(a), b);                                        \
  }                                                                                  \
  template <OwnKernels X>                                                            \
  auto name(typename X::Value a, X b)->decltype(X::Kernels::name(a, std::move(b))) { \
    return X::Kernels::name(a, std::move(b));                                        \
  }                                                                                  \
  template <std::floating_point T>                                                   \
  T name(T a, T b) noexcept {                                                        \
    return value;                                                                    \
  }

TAPESTRY_DECLARE(greater, a > b ? T{1} : T{0})
TAPESTRY_DECLARE(greaterEqual, a >= b ? T{1} : T{0})
TAPESTRY_DECLARE(less, a < b ? T{1} : T{0})
TAPESTRY_DECLARE(lessEqual, a <= b ? T{1} : T{0})
TAPESTRY_DECLARE(equal, a == b ? T{1} : T{0})
TAPESTRY_DECLARE(notEqual, a != b ? T{1} : T{0})
#undef TAPESTRY_DECLARE

}  // namespace tapestry::kernels
