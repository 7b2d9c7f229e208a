// Defines the steps of SGD, momentum, Adagrad, RMSprop and Adam, over tensors and scalars alike.
#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <type_traits>

#include <tapestry/tensor/tensor.hpp>

namespace tapestry::kernels {

// One pass over memory. All but the gradient come by value: a tensor whose only handle the caller hands over
// is updated in place, any other is left as it was. Shapes that differ are a ShapeError.

/// weight - learningRate * gradient.
template <class T>
Tensor<T> sgdStep(Tensor<T> weight, const Tensor<T>& gradient, std::type_identity_t<T> learningRate);

/// What a step of momentum yields, of tensors or scalars.
template <class V>
struct Momentum {
  V weight;
  V velocity;
};

/// velocity' = momentum * velocity + gradient, weight' = weight - learningRate * velocity'.
template <class T>
Momentum<Tensor<T>> momentumStep(Tensor<T> weight, const Tensor<T>& gradient, Tensor<T> velocity,
                                 std::type_identity_t<T> learningRate, std::type_identity_t<T> momentum);

/// What a step of Adagrad or RMSprop yields, of tensors or scalars.
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
/// Adagrad has 1 as decay and gain, RMSprop 1 - decay as gain.
template <class T>
Adaptive<Tensor<T>> adaptiveStep(Tensor<T> weight, const Tensor<T>& gradient, Tensor<T> squares,
                                 const AdaptiveParameters<std::type_identity_t<T>>& parameters);

/// What a step of Adam yields, of tensors or scalars.
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
/// - learningRate * weightDecay * weight, the last of which makes it AdamW.
template <class T>
Adam<Tensor<T>> adamStep(Tensor<T> weight, const Tensor<T>& gradient, Tensor<T> firstMoment,
                         Tensor<T> secondMoment, const AdamParameters<std::type_identity_t<T>>& parameters,
                         std::uint64_t t);

/// 1 - beta^t, in double since it cancels: moments that start at 0 are too small by this factor.
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
