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

/// The betas are doubles, since 1 - beta cancels.
template <class T>
struct AdamParameters {
  T learningRate = T(1e-3);
  double beta1 = 0.9;
  double beta2 = 0.999;
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

/// The constants of one step of Adam.
template <class T>
struct AdamConstants {
  AdamConstants(const AdamParameters<T>& parameters, std::uint64_t t) noexcept
      : rate(static_cast<T>(parameters.learningRate / biasCorrection(parameters.beta1, t))),
        beta1(static_cast<T>(parameters.beta1)),
        gain1(static_cast<T>(1 - parameters.beta1)),
        beta2(static_cast<T>(parameters.beta2)),
        gain2(static_cast<T>(1 - parameters.beta2)),
        epsilon(parameters.epsilon),
        secondScale(static_cast<T>(1 / biasCorrection(parameters.beta2, t))),
        kept(1 - parameters.learningRate * parameters.weightDecay) {}

  /// Returns 1 - beta^t, the factor by which moments that start at 0 are too small; computed in double, since
  /// the difference cancels.
  static double biasCorrection(double beta, std::uint64_t t) noexcept {
    return 1 - std::pow(beta, static_cast<double>(t));
  }

  T rate;  ///< learningRate / (1 - beta1^t)
  T beta1;
  T gain1;  ///< 1 - beta1
  T beta2;
  T gain2;  ///< 1 - beta2
  T epsilon;
  T secondScale;  ///< 1 / (1 - beta2^t)
  T kept;         ///< the share of the weight that remains
};

// The steps of scalars and of tensors of other libraries are composed of elementwise functions, so that a
// device can compute a step by one kernel.

/// A scalar, or a tensor of another library that has these functions.
template <class X>
concept Composed =
    std::floating_point<X> || (OwnKernels<X> && requires(X x) {
      kernels::divide(kernels::add(x, x), kernels::sqrt(kernels::subtract(x, kernels::multiply(x, x))));
    });

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
X sgdStep(X weight, const X& gradient, detail::ElementOf<X> learningRate) {
  requireOneShape("sgdStep", weight, gradient);
  return kernels::subtract(std::move(weight), kernels::multiply(gradient, learningRate));
}

template <Composed X>
Momentum<X> momentumStep(X weight, const X& gradient, X velocity, detail::ElementOf<X> learningRate,
                         detail::ElementOf<X> momentum) {
  requireOneShape("momentumStep", weight, gradient, velocity);
  velocity = kernels::add(kernels::multiply(std::move(velocity), momentum), gradient);
  return {kernels::subtract(std::move(weight), kernels::multiply(velocity, learningRate)), velocity};
}

template <Composed X>
Adaptive<X> adaptiveStep(X weight, const X& gradient, X squares,
                         const AdaptiveParameters<detail::ElementOf<X>>& parameters) {
  requireOneShape("adaptiveStep", weight, gradient, squares);
  const auto& [rate, decay, gain, epsilon] = parameters;
  squares = kernels::add(kernels::multiply(std::move(squares), decay),
                         kernels::multiply(kernels::multiply(gradient, gradient), gain));
  X step = kernels::divide(kernels::multiply(gradient, rate), kernels::add(kernels::sqrt(squares), epsilon));
  return {kernels::subtract(std::move(weight), std::move(step)), squares};
}

template <Composed X>
Adam<X> adamStep(X weight, const X& gradient, X m, X v,
                 const AdamParameters<detail::ElementOf<X>>& parameters, std::uint64_t t) {
  requireOneShape("adamStep", weight, gradient, m, v);
  const AdamConstants<detail::ElementOf<X>> c(parameters, t);
  m = kernels::add(kernels::multiply(std::move(m), c.beta1), kernels::multiply(gradient, c.gain1));
  v = kernels::add(kernels::multiply(std::move(v), c.beta2),
                   kernels::multiply(kernels::multiply(gradient, gradient), c.gain2));
  X deviation = kernels::add(kernels::sqrt(kernels::multiply(v, c.secondScale)), c.epsilon);
  X step = kernels::divide(kernels::multiply(m, c.rate), std::move(deviation));
  weight = kernels::multiply(std::move(weight), c.kept);
  return {kernels::subtract(std::move(weight), std::move(step)), m, v};
}

}  // namespace tapestry::kernels
#pragma GCC visibility pop
