// Defines checkGradients, which compares the gradients of a network with central differences, and onDiamond.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <span>

#include "tapestry/deeplearning/gradients.hpp"
#include "tapestry/deeplearning/operations/add.hpp"
#include "tapestry/deeplearning/operations/multiply.hpp"
#include "tapestry/deeplearning/operations/sum.hpp"
#include "tapestry/deeplearning/predict.hpp"

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

/// The sum of all elements, each times a factor of its own, so that no two elements have the same delta.
inline double weightedSumFactor(std::size_t i) { return std::cos(static_cast<double>(1 + 2 * i)); }
inline constexpr auto weightedSum = unaryOperation<"weightedSum", Keep::operands, ToScalar>(
    [](const auto& x) {
      double sum = 0;
      for (std::size_t i = 0; i < x.size(); ++i)
        sum += weightedSumFactor(i) * static_cast<double>(x.data()[i]);
      return sum;
    },
    [](double delta, auto x) {
      for (std::size_t i = 0; auto& element : elementsOf(x))
        element = static_cast<std::decay_t<decltype(element)>>(delta * weightedSumFactor(i++));
      return x;
    });

/// A scalar that depends on each element of the layer in its own way.
template <class L>
DoubleLayer asLoss(const L& layer) {
  if constexpr (detail::isTensor<DataOf<L>>)
    return weightedSum(layer);
  else
    return sum(layer);
}

/// Checks the gradient of the loss with respect to each element of the weight.
template <class Precision, class Data>
void checkGradient(const DoubleLayer& loss, const Weight<Data>& weight, Data exact) {
  const Data start = weight.data();
  REQUIRE(kernels::shapeOf(exact) == kernels::shapeOf(start));
  Data moved = start;
  for (std::size_t i = 0; i < elementsOf(moved).size(); ++i) {
    const auto middle = elementsOf(moved)[i];
    const auto lossAt = [&](double value) {
      elementsOf(moved)[i] = static_cast<detail::ElementOf<Data>>(value);
      weight.setData(moved);
      return predict(loss).blockingAwait();
    };
    const double x = static_cast<double>(middle);
    const double step = differenceStep<Precision> * std::max(1.0, std::abs(x));
    const double expected = (lossAt(x + step) - lossAt(x - step)) / (2 * step);
    elementsOf(moved)[i] = middle;
    const double got = static_cast<double>(elementsOf(exact)[i]);
    INFO("element ", i, " at ", x, ": got ", got, ", expected ", expected);
    CHECK(std::abs(got - expected) <=
          differenceTolerance<Precision> * std::max({1.0, std::abs(got), std::abs(expected)}));
  }
  weight.setData(start);
}

/// network(weights...) makes a layer of weights that start with the data given.
template <class Precision = double, class F, class... Data>
void checkGradients(const F& network, const Data&... data) {
  const auto check = [&](const auto&... weight) {
    const DoubleLayer loss = asLoss(network(weight...));
    const auto exact = gradients(loss).blockingAwait();
    CHECK(exact.loss == predict(loss).blockingAwait());
    (..., checkGradient<Precision>(loss, weight, exact.of(weight)));
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
