// Defines the steps of SGD, momentum, Adagrad, RMSprop and Adam, for tensors and scalars.
#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <tapestry/tensor/kernels/own_kernels.hpp>
#include <tapestry/tensor/tensor.hpp>

#pragma GCC visibility push(default)
namespace tapestry::kernels {

// Each step makes one pass over memory. All operands but the gradient are passed by value: a tensor whose
// only handle the caller moves in is updated in place, any other is left unchanged. Shapes that differ throw
// ShapeError.

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

template <OwnKernels X>
auto sgdStep(X weight, const X& gradient, typename X::Value learningRate)
    -> decltype(X::Kernels::sgdStep(std::move(weight), gradient, learningRate)) {
  return X::Kernels::sgdStep(std::move(weight), gradient, learningRate);
}
template <OwnKernels X>
auto momentumStep(X weight, const X& gradient, X velocity, typename X::Value learningRate,
                  typename X::Value momentum)
    -> decltype(X::Kernels::momentumStep(std::move(weight), gradient, std::move(velocity), learningRate,
                                         momentum)) {
  return X::Kernels::momentumStep(std::move(weight), gradient, std::move(velocity), learningRate, momentum);
}
template <OwnKernels X>
auto adaptiveStep(X weight, const X& gradient, X squares,
                  const AdaptiveParameters<typename X::Value>& parameters)
    -> decltype(X::Kernels::adaptiveStep(std::move(weight), gradient, std::move(squares), parameters)) {
  return X::Kernels::adaptiveStep(std::move(weight), gradient, std::move(squares), parameters);
}
template <OwnKernels X>
auto adamStep(X weight, const X& gradient, X firstMoment, X secondMoment,
              const AdamParameters<typename X::Value>& parameters, std::uint64_t t)
    -> decltype(X::Kernels::adamStep(std::move(weight), gradient, std::move(firstMoment),
                                     std::move(secondMoment), parameters, t)) {
  return X::Kernels::adamStep(std::move(weight), gradient, std::move(firstMoment), std::move(secondMoment),
                              parameters, t);
}

/// Returns 1 - beta^t, the factor by which moments that start at 0 are too small; computed in double, since
/// the difference cancels.
template <std::floating_point T>
T biasCorrection(T beta, std::uint64_t t) noexcept {
  return static_cast<T>(1 - std::pow(static_cast<double>(beta), static_cast<double>(t)));
}

template <std::floating_point T>
T sgdStep(T weight, T gradient, std::type_identity_t<T> learningRate) noexcept {
  return weight - learningRate * gradient;
}

template <std::floating_point T>
Momentum<T> momentumStep(T weight, T gradient, T velocity, std::type_identity_t<T> learningRate,
                         std::type_identity_t<T> momentum) noexcept {
  velocity = momentum * velocity + gradient;
  return {weight - learningRate * velocity, velocity};
}

template <std::floating_point T>
Adaptive<T> adaptiveStep(T weight, T gradient, T squares,
                         const AdaptiveParameters<std::type_identity_t<T>>& parameters) noexcept {
  const auto& [rate, decay, gain, epsilon] = parameters;
  squares = decay * squares + gain * gradient * gradient;
  return {weight - rate * gradient / (std::sqrt(squares) + epsilon), squares};
}

template <std::floating_point T>
Adam<T> adamStep(T weight, T gradient, T m, T v, const AdamParameters<std::type_identity_t<T>>& parameters,
                 std::uint64_t t) noexcept {
  const auto& [rate, beta1, beta2, epsilon, weightDecay] = parameters;
  m = beta1 * m + (1 - beta1) * gradient;
  v = beta2 * v + (1 - beta2) * gradient * gradient;
  const T mean = m / biasCorrection(beta1, t);
  const T deviation = std::sqrt(v / biasCorrection(beta2, t));
  return {(1 - rate * weightDecay) * weight - rate * mean / (deviation + epsilon), m, v};
}

}  // namespace tapestry::kernels
#pragma GCC visibility pop
