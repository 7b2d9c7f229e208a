// Defines OwnKernels, the concept of tensors that other libraries define, with kernels of their own,
// TAPESTRY_OWN_KERNEL, which declares such a kernel, and ElementOf, the type of the elements of a tensor.
#pragma once

#pragma GCC visibility push(default)
namespace tapestry {

/// A tensor type with a member type Value, that of its elements, and a member class Kernels, whose static
/// functions have the names and operands of functions in tapestry/tensor/kernels. Those call them for such a
/// type, or are composed of others that do, and do not exist for it where Kernels lacks a function.
template <class X>
concept OwnKernels = requires {
  typename X::Kernels;
  typename X::Value;
};

template <class T>
class Tensor;

namespace detail {

template <class V>
struct ElementOfImpl {
  using Type = V;
};
template <class T>
struct ElementOfImpl<Tensor<T>> {
  using Type = T;
};
template <OwnKernels V>
struct ElementOfImpl<V> {
  using Type = typename V::Value;
};
/// T for a tensor of T, of this library or another, V itself for a scalar.
template <class V>
using ElementOf = typename ElementOfImpl<V>::Type;

}  // namespace detail

// Defines the function of tensors X of other libraries, which calls that of X::Kernels, and does not exist
// where X::Kernels lacks it. Parameters and arguments stand in parentheses.
#define TAPESTRY_OWN_KERNEL(name, parameters, arguments)       \
  template <OwnKernels X>                                      \
  auto name parameters->decltype(X::Kernels::name arguments) { \
    return X::Kernels::name arguments;                         \
  }

}  // namespace tapestry
#pragma GCC visibility pop
