// Defines the steps of SGD, momentum, Adagrad, RMSprop and Adam, for tensors and scalars.
#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

#include <tapestry/tensor/kernels/arithmetic.hpp>
#include <tapestry/tensor/kernels/elementwise.hpp>
#include <tapestry/tensor/kernels/own_kernels.hpp>
#include <tapestry/tensor/shape_error.hpp>
#include <tapestry/tensor/tensor.hpp>

#pragma GCC visibility push(default)
namespace tapestry::kernels {

// A step of tensors makes one pass over memory. All operands but the gradient are passed by value: a tensor
// whose only handle the caller moves in is updated in place, any other is left unchanged. Shapes that differ
// throw ShapeError.

/// weight - learningRate * gradient.
template <class T>
Tensor<T> sgdStep(Tensor<T> weight, const Tensor<T>& gradient, std::type_identity_t<T> learningRate);

/// The result of a step of momentum, for tensors or scalars.
template <class V>
struct Momentum {
  V weight;
  V velocity;
};

/// velocity' = momentum * velocity + gradient, weight' = weight - learningRate * velocity'.
template <class T>
Momentum<Tensor<T>> momentumStep(Tensor<T> weight, const Tensor<T>& gradient, Tensor<T> velocity,
                                 std::type_identity_t<T> learningRate, std::type_identity_t<T> momentum);

/// The result of a step of Adagrad or RMSprop, for tensors or scalars.
template <class V>
struct Adaptive {
  V weight;
  V squares;
};

template <class T>
struct AdaptiveParameters {
  T learningRate;
  T decay;
  T gain;
  T epsilon;
};

/// squares' = decay * squares + gain * gradient^2,
/// weight' = weight - learningRate * gradient / (sqrt(squares') + epsilon).
/// For Adagrad, decay and gain are 1; for RMSprop, gain is 1 - decay.
template <class T>
Adaptive<Tensor<T>> adaptiveStep(Tensor<T> weight, const Tensor<T>& gradient, Tensor<T> squares,
                                 const AdaptiveParameters<std::type_identity_t<T>>& parameters);

/// The result of a step of Adam, for tensors or scalars.
template <class V>
struct Adam {
  V weight;
  V firstMoment;
  V secondMoment;
};

template <class T>
struct AdamParameters {
  T learningRate = T(1e-3);
  T beta1 = T(0.9);
  T beta2 = T(0.999);
  T epsilon = T(1e-8);
  T weightDecay = 0;
};

/// Step t = 1, 2, ... of Adam: m' = beta1*m + (1 - beta1)*g, v' = beta2*v + (1 - beta2)*g^2,
/// weight' = weight - learningRate * (m' / (1 - beta1^t)) / (sqrt(v' / (1 - beta2^t)) + epsilon)
/// - learningRate * weightDecay * weight, where the last term makes it AdamW.
template <class T>
Adam<Tensor<T>> adamStep(Tensor<T> weight, const Tensor<T>& gradient, Tensor<T> firstMoment,
                         Tensor<T> secondMoment, const AdamParameters<std::type_identity_t<T>>& parameters,
                         std::uint64_t t);

/// Returns 1 - beta^t, the factor by which moments that start at 0 are too small; computed in double, since
/// the difference cancels.
template <std::floating_point T>
T biasCorrection(T beta, std::uint64_t t) noexcept {
  return static_cast<T>(1 - std::pow(static_cast<double>(beta), static_cast<double>(t)));
}

// The steps of scalars and of tensors of other libraries are composed of elementwise functions, so that a
// device can compute a step by one kernel.

/// A scalar, or a tensor of another library that has these functions.
template <class X>
concept Composed =
    std::floating_point<X> || (OwnKernels<X> && requires(X x) {
      kernels::divide(kernels::add(x, x), kernels::sqrt(kernels::subtract(x, kernels::multiply(x, x))));
    });

/// The type of its elements.
template <Composed X>
struct ComposedOf {
  using Element = X;
};
template <Composed X>
  requires OwnKernels<X>
struct ComposedOf<X> {
  using Element = typename X::Value;
};
template <Composed X>
using ComposedElement = typename ComposedOf<X>::Element;

/// Throws ShapeError, naming the operation, unless all shapes are equal.
template <Composed X>
void requireOneShape(std::string_view operation, const X& weight, const std::same_as<X> auto&... others) {
  if constexpr (OwnKernels<X>) {
    for (const Shape* const other : {&others.shape()...})
      if (*other != weight.shape())
        throw ShapeError(operation, "the shapes differ",
                         toString(weight.shape()) + " and " + toString(*other), "tensors of one shape");
  }
}

template <Composed X>
X sgdStep(X weight, const X& gradient, ComposedElement<X> learningRate) {
  requireOneShape("sgdStep", weight, gradient);
  return kernels::subtract(std::move(weight), kernels::multiply(gradient, learningRate));
}

template <Composed X>
Momentum<X> momentumStep(X weight, const X& gradient, X velocity, ComposedElement<X> learningRate,
                         ComposedElement<X> momentum) {
  requireOneShape("momentumStep", weight, gradient, velocity);
  velocity = kernels::add(kernels::multiply(std::move(velocity), momentum), gradient);
  return {kernels::subtract(std::move(weight), kernels::multiply(velocity, learningRate)), velocity};
}

template <Composed X>
Adaptive<X> adaptiveStep(X weight, const X& gradient, X squares,
                         const AdaptiveParameters<ComposedElement<X>>& parameters) {
  requireOneShape("adaptiveStep", weight, gradient, squares);
  const auto& [rate, decay, gain, epsilon] = parameters;
  squares = kernels::add(kernels::multiply(std::move(squares), decay),
                         kernels::multiply(kernels::multiply(gradient, gradient), gain));
  X step = kernels::divide(kernels::multiply(gradient, rate), kernels::add(kernels::sqrt(squares), epsilon));
  return {kernels::subtract(std::move(weight), std::move(step)), squares};
}

template <Composed X>
Adam<X> adamStep(X weight, const X& gradient, X m, X v, const AdamParameters<ComposedElement<X>>& parameters,
                 std::uint64_t t) {
  requireOneShape("adamStep", weight, gradient, m, v);
  const auto& [rate, beta1, beta2, epsilon, weightDecay] = parameters;
  m = kernels::add(kernels::multiply(std::move(m), beta1), kernels::multiply(gradient, 1 - beta1));
  v = kernels::add(kernels::multiply(std::move(v), beta2),
                   kernels::multiply(kernels::multiply(gradient, gradient), 1 - beta2));
  const X square = kernels::multiply(v, 1 / biasCorrection(beta2, t));
  X deviation = kernels::add(kernels::sqrt(square), epsilon);
  X step = kernels::divide(kernels::multiply(m, rate / biasCorrection(beta1, t)), std::move(deviation));
  weight = kernels::multiply(std::move(weight), 1 - rate * weightDecay);
  return {kernels::subtract(std::move(weight), std::move(step)), m, v};
}

}  // namespace tapestry::kernels
#pragma GCC visibility pop
