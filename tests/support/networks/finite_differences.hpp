// Defines checkGradients, which compares the gradients of a network with central differences, and onDiamond.
#pragma once

#include <doctest/doctest.h>

#include <concepts>
#include <functional>
#include <span>

#include "tapestry/deeplearning/gradients.hpp"
#include "tapestry/deeplearning/operations/arithmetic/add.hpp"
#include "tapestry/deeplearning/operations/arithmetic/multiply.hpp"
#include "tapestry/deeplearning/predict.hpp"
#include "tapestry/deeplearning/table_weight.hpp"

namespace tapestry::test {

/// How far a weight is moved to either side, and how far the derivatives may then differ, for a network that
/// is evaluated in T.
template <class T>
inline constexpr double differenceStep = std::same_as<T, double> ? 1e-5 : 1e-2;
template <class T>
inline constexpr double differenceTolerance = std::same_as<T, double> ? 1e-6 : 1e-2;

/// The values of data, as a writable range.
template <class T>
std::span<T> elementsOf(Tensor<T>& data) {
  return {data.exclusiveData(), data.size()};
}
template <std::floating_point T>
std::span<T> elementsOf(T& data) {
  return {&data, 1};
}

/// The data of a differentiable. Compiled once for the usual types, as the functions below.
template <class L>
DataOf<L> valueOf(const L& layer) {
  return predict(layer).blockingAwait();
}
extern template double valueOf(const DoubleLayer&);
extern template float valueOf(const FloatLayer&);
extern template Tensor<float> valueOf(const TensorLayer&);
extern template Tensor<double> valueOf(const DoubleTensorLayer&);

/// A scalar that depends on each element of the layer in its own way.
DoubleLayer asLoss(const DoubleLayer& layer);
DoubleLayer asLoss(const FloatLayer& layer);
DoubleLayer asLoss(const TensorLayer& layer);
DoubleLayer asLoss(const DoubleTensorLayer& layer);
template <class Data>
DoubleLayer asLoss(const Weight<Data>& weight) {
  return asLoss(Layer<Data>(weight.node()));
}

Gradients<double> gradientsOf(const DoubleLayer& loss);

/// Checks the gradient of what `loss` evaluates to with respect to each element of the weight.
template <class Precision, class Data>
void checkGradient(const std::function<double()>& loss, const Weight<Data>& weight,
                   const Gradients<double>& gradients);
template <class Precision, class Data>
void checkGradient(const DoubleLayer& loss, const Weight<Data>& weight, const Gradients<double>& gradients) {
  checkGradient<Precision>([&] { return valueOf(loss); }, weight, gradients);
}

/// Checks the gradient of the loss with respect to all rows of a table.
void checkTableGradient(const DoubleLayer& loss, const DoubleTableWeight& table);

/// network(weights...) makes a layer of weights that start with the data given.
template <class Precision = double, class F, class... Data>
void checkGradients(const F& network, const Data&... data) {
  const auto check = [&](const auto&... weight) {
    const DoubleLayer loss = asLoss(network(weight...));
    const Gradients<double> exact = gradientsOf(loss);
    CHECK(exact.loss == valueOf(loss));
    (..., checkGradient<Precision>(loss, weight, exact));
  };
  check(Weight<Data>(data)...);
}

/// The operation with its result used twice, and its first operand used by another layer as well.
template <class F>
auto onDiamond(const F& operation) {
  return [operation](const auto& first, const auto&... more) {
    const auto shared = first + detail::ElementOf<DataOf<std::decay_t<decltype(first)>>>(0);
    const auto result = operation(shared, more...);
    return asLoss(result) * asLoss(result) + asLoss(result) * asLoss(shared);
  };
}

}  // namespace tapestry::test
