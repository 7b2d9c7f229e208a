// Defines TensorForm, by which weights of user-defined types are counted, saved and loaded, and
// TensorOfDevice, the concept of tensors of a device, whose weights files hold too.
#pragma once

#include <concepts>

#include "tapestry/raii/do.hpp"
#include "tapestry/tensor/kernels/own_kernels.hpp"
#include "tapestry/tensor/tensor.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// Specialise it for a user-defined type T whose weights a model lists, with
///   static Tensor<double> toTensor(const T&);  // or Tensor<float>
///   static T fromTensor(const Tensor<double>&);
/// The tensors of a weight's values must have one shape. If fromTensor throws, the loaded file is refused.
template <class T>
struct TensorForm;

/// A user-defined type whose values a file can hold.
template <class T>
concept HasTensorForm = requires(const T& value) {
  { TensorForm<T>::fromTensor(TensorForm<T>::toTensor(value)) } -> std::same_as<T>;
};

/// A tensor of another library whose elements are not in host memory: x.toHost() yields them. x.device() is
/// optional, since a constant has no device; X(*x.device(), host) copies a tensor of the host to the device.
/// x.issued() succeeds when the device has all commands that compute x.
template <class X>
concept TensorOfDevice = OwnKernels<X> && requires(const X& x, const Tensor<typename X::Value>& host) {
  { x.toHost() } -> std::same_as<Do<Tensor<typename X::Value>>>;
  { x.issued() } -> std::same_as<Do<void>>;
  { X(*x.device(), host) } -> std::same_as<X>;
  x.device().has_value();
};

}  // namespace tapestry
#pragma GCC visibility pop
