// Defines OwnKernels, the concept of tensors that other libraries define, with kernels of their own.
#pragma once

#pragma GCC visibility push(default)
namespace tapestry {

/// A tensor type with a member type Value, that of its elements, and a member class Kernels, whose static
/// functions have the names and operands of functions in tapestry/tensor/kernels. Those call them for such a
/// type, and do not exist for it where Kernels lacks a function.
template <class X>
concept OwnKernels = requires {
  typename X::Kernels;
  typename X::Value;
};

}  // namespace tapestry
#pragma GCC visibility pop
