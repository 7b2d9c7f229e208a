// Defines TensorForm, by which weights of user-defined types are counted, saved and loaded.
#pragma once

#include <concepts>

#include "tapestry/tensor/tensor.hpp"

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

}  // namespace tapestry
