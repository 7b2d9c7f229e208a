// Defines the access to gradients: toGradient and fromGradient, which turn the deltas of weights into numbers
// and back, squaredNormOf and scaledBy.
#pragma once

#include <concepts>
#include <stdexcept>
#include <string>
#include <utility>

#include "tapestry/deeplearning/detail/elements.hpp"
#include "tapestry/deeplearning/extend/gradient.hpp"
#include "tapestry/deeplearning/tensor_form.hpp"
#include "tapestry/tensor/kernels/arithmetic.hpp"
#include "tapestry/tensor/kernels/squared_norm.hpp"
#include "tapestry/tensor/table.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

template <class T>
inline constexpr const char* typeName = sizeof(T) == 4 ? "F32" : "F64";

template <class Data>
inline constexpr bool isTable = false;
template <class T>
inline constexpr bool isTable<Table<T>> = true;

/// Whether deltas of a user-defined type are values of the type, which has a TensorForm.
template <class Data>
concept GradientByForm = HasTensorForm<Data> && std::same_as<DenseOf<Data>, Data>;

template <class Data>
extend::WeightForm formOfWeight(const Data& value, std::string optimizer) {
  if constexpr (std::floating_point<Data>) {
    return {typeName<Data>, {}, false, {}, std::move(optimizer)};
  } else if constexpr (isHostTensor<Data>) {
    return {typeName<ElementOf<Data>>, value.shape(), false, value.shape(), std::move(optimizer)};
  } else if constexpr (isTable<Data>) {
    return {typeName<ElementOf<Data>>, value.shape(), true, {}, std::move(optimizer)};
  } else if constexpr (GradientByForm<Data>) {
    const auto numbers = TensorForm<Data>::toTensor(value);
    return {typeName<typename decltype(numbers)::Value>, numbers.shape(), false, numbers.shape(),
            std::move(optimizer)};
  } else {
    return {{}, {}, false, {}, std::move(optimizer)};
  }
}

/// The error for data whose gradients cannot be exchanged.
inline std::logic_error notNumbers() {
  return std::logic_error(
      "tapestry::extend::PassGradients: a gradient is not numbers, got data of a user-defined type or of a "
      "device, expected tensors of the host, or a TensorForm of the data and deltas of the same type");
}

template <class Data>
extend::Gradient toGradient(DenseOf<Data> gradient) {
  if constexpr (std::floating_point<Data>)
    return Tensor<Data>::scalar(gradient);
  else if constexpr (isHostTensor<Data> || isTable<Data>)
    return gradient;
  else if constexpr (GradientByForm<Data>)
    return TensorForm<Data>::toTensor(gradient);
  else
    throw notNumbers();
}

template <class Data>
DeltaOf<Data> fromGradient(extend::Gradient gradient) {
  if constexpr (std::floating_point<Data>)
    return std::get<Tensor<Data>>(gradient).item();
  else if constexpr (isHostTensor<Data>)
    return std::get<Data>(std::move(gradient));
  else if constexpr (isTable<Data>)
    return std::get<IndexedRows<ElementOf<Data>>>(std::move(gradient));
  else if constexpr (GradientByForm<Data>)
    return TensorForm<Data>::fromTensor(
        std::get<decltype(TensorForm<Data>::toTensor(std::declval<const Data&>()))>(std::move(gradient)));
  else
    throw notNumbers();
}

/// For clipByGlobalNorm. Throws std::logic_error for a user-defined gradient without squaredNorm().
template <class V>
double squaredNormOf(const V& gradient) {
  if constexpr (std::floating_point<V> || isHostTensor<V>) {
    return kernels::squaredNorm(gradient);
  } else if constexpr (requires { gradient.squaredNorm(); }) {
    return gradient.squaredNorm();
  } else if constexpr (hasParts<V>) {
    double sum = 0;
    mapParts(gradient, [&sum](const auto& part) { return sum += squaredNormOf(part); });
    return sum;
  } else {
    throw std::logic_error(
        "tapestry::clipByGlobalNorm: a gradient has no norm, got a user-defined type, expected scalars and "
        "tensors");
  }
}

/// For clipByGlobalNorm and trainMicroBatches. Throws std::logic_error for a user-defined gradient without
/// scaled(factor).
template <class V>
V scaledBy([[maybe_unused]] double factor, V gradient) {
  if constexpr (Numbers<V>)
    return kernels::scale(std::move(gradient), static_cast<ElementOf<V>>(factor));
  else if constexpr (requires { std::move(gradient).scaled(factor); })
    return std::move(gradient).scaled(factor);
  else if constexpr (hasParts<V>)
    return mapParts(std::move(gradient), [factor](auto part) { return scaledBy(factor, std::move(part)); });
  else
    throw std::logic_error(
        "tapestry::train: a gradient cannot be scaled, got a user-defined type, expected a type with "
        "scaled(factor)");
}

}  // namespace tapestry::detail
#pragma GCC visibility pop
