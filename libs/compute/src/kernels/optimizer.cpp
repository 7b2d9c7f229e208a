#include <tapestry/compute/kernels/device_optimizer.hpp>

#include <string_view>
#include <utility>

#include <tapestry/compute/kernels/device_elementwise.hpp>
#include <tapestry/tensor/shape_error.hpp>

#pragma GCC visibility push(default)
namespace tapestry {

namespace {

using E = DeviceElementwise;

template <class T>
void requireShapes(std::string_view operation, const DeviceTensor<T>& weight, const DeviceTensor<T>& other) {
  if (weight.shape() != other.shape())
    throw ShapeError(operation, "the shapes differ",
                     toString(weight.shape()) + " and " + toString(other.shape()), "tensors of one shape");
}

/// a * x + b * y.
template <class T>
DeviceTensor<T> combined(T a, const DeviceTensor<T>& x, T b, DeviceTensor<T> y) {
  return E::add(E::multiply(x, a), E::multiply(std::move(y), b));
}

}  // namespace

template <class T>
DeviceTensor<T> DeviceOptimizer::sgdStep(DeviceTensor<T> weight, DeviceTensor<T> gradient,
                                         std::type_identity_t<T> learningRate) {
  requireShapes("sgdStep", weight, gradient);
  return E::subtract(std::move(weight), E::multiply(std::move(gradient), learningRate));
}

template <class T>
kernels::Momentum<DeviceTensor<T>> DeviceOptimizer::momentumStep(DeviceTensor<T> weight,
                                                                 DeviceTensor<T> gradient,
                                                                 DeviceTensor<T> velocity,
                                                                 std::type_identity_t<T> learningRate,
                                                                 std::type_identity_t<T> momentum) {
  requireShapes("momentumStep", weight, gradient);
  requireShapes("momentumStep", weight, velocity);
  velocity = E::add(E::multiply(std::move(velocity), momentum), std::move(gradient));
  return {E::subtract(std::move(weight), E::multiply(velocity, learningRate)), velocity};
}

template <class T>
kernels::Adaptive<DeviceTensor<T>> DeviceOptimizer::adaptiveStep(
    DeviceTensor<T> weight, DeviceTensor<T> gradient, DeviceTensor<T> squares,
    const kernels::AdaptiveParameters<std::type_identity_t<T>>& parameters) {
  requireShapes("adaptiveStep", weight, gradient);
  requireShapes("adaptiveStep", weight, squares);
  const auto& [rate, decay, gain, epsilon] = parameters;
  squares = combined(decay, squares, gain, E::multiply(gradient, gradient));
  DeviceTensor<T> step = E::divide(E::multiply(std::move(gradient), rate), E::add(E::sqrt(squares), epsilon));
  return {E::subtract(std::move(weight), std::move(step)), squares};
}

template <class T>
kernels::Adam<DeviceTensor<T>> DeviceOptimizer::adamStep(
    DeviceTensor<T> weight, DeviceTensor<T> gradient, DeviceTensor<T> firstMoment,
    DeviceTensor<T> secondMoment, const kernels::AdamParameters<std::type_identity_t<T>>& parameters,
    std::uint64_t t) {
  requireShapes("adamStep", weight, gradient);
  requireShapes("adamStep", weight, firstMoment);
  requireShapes("adamStep", weight, secondMoment);
  const auto& [rate, beta1, beta2, epsilon, weightDecay] = parameters;
  firstMoment = combined(beta1, firstMoment, 1 - beta1, gradient);
  secondMoment = combined(beta2, secondMoment, 1 - beta2, E::multiply(gradient, gradient));
  const T meanFactor = rate / kernels::biasCorrection(beta1, t);
  const T squareFactor = 1 / kernels::biasCorrection(beta2, t);
  DeviceTensor<T> deviation = E::add(E::sqrt(E::multiply(secondMoment, squareFactor)), epsilon);
  DeviceTensor<T> step = E::divide(E::multiply(firstMoment, meanFactor), std::move(deviation));
  return {E::subtract(E::multiply(std::move(weight), 1 - rate * weightDecay), std::move(step)), firstMoment,
          secondMoment};
}

#define TAPESTRY_INSTANTIATE(T)                                                                              \
  template DeviceTensor<T> DeviceOptimizer::sgdStep(DeviceTensor<T>, DeviceTensor<T>, T);                    \
  template kernels::Momentum<DeviceTensor<T>> DeviceOptimizer::momentumStep(                                 \
      DeviceTensor<T>, DeviceTensor<T>, DeviceTensor<T>, T, T);                                              \
  template kernels::Adaptive<DeviceTensor<T>> DeviceOptimizer::adaptiveStep(                                 \
      DeviceTensor<T>, DeviceTensor<T>, DeviceTensor<T>, const kernels::AdaptiveParameters<T>&);             \
  template kernels::Adam<DeviceTensor<T>> DeviceOptimizer::adamStep(                                         \
      DeviceTensor<T>, DeviceTensor<T>, DeviceTensor<T>, DeviceTensor<T>, const kernels::AdamParameters<T>&, \
      std::uint64_t);
TAPESTRY_INSTANTIATE(float)
TAPESTRY_INSTANTIATE(double)
#undef TAPESTRY_INSTANTIATE

}  // namespace tapestry
#pragma GCC visibility pop
