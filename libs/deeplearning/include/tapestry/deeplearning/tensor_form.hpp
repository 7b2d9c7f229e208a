// Defines TensorForm, by which weights of types of one's own are counted, saved and loaded.
#pragma once

#include <concepts>

#include "tapestry/tensor/tensor.hpp"

namespace tapestry {

/// Specialise it for a type T of your own whose weights a model lists, with
///   static Tensor<double> toTensor(const T&);  // or Tensor<float>
///   static T fromTensor(const Tensor<double>&);
/// The tensors of a weight's values have one shape. What fromTensor throws refuses the file that is loaded.
template <class T>
struct TensorForm;

/// A type of one's own that a file can hold.
template <class T>
concept HasTensorForm = requires(const T& value) {
  { TensorForm<T>::fromTensor(TensorForm<T>::toTensor(value)) } -> std::same_as<T>;
};

}  // namespace tapestry
