#include <tapestry/tensor/kernels/optimizer.hpp>

#include <utility>

#include "kernels/elementwise/combine.hpp"
#include "kernels/optimizer/optimizer_loops.hpp"
#include "kernels/target.hpp"

#pragma GCC visibility push(default)
namespace tapestry::kernels {

template <class T>
Tensor<T> sgdStep(Tensor<T> weight, const Tensor<T>& gradient, std::type_identity_t<T> learningRate) {
  requireSameShape("sgdStep", gradient, weight);
  const T* const w = weight.data();
  Tensor<T> result = targetFor(std::move(weight));
  optimizerLoops<T>().sgd(w, gradient.data(), result.size(), learningRate, result.exclusiveData());
  return result;
}

template <class T>
Momentum<Tensor<T>> momentumStep(Tensor<T> weight, const Tensor<T>& gradient, Tensor<T> velocity,
                                 std::type_identity_t<T> learningRate, std::type_identity_t<T> momentum) {
  requireSameShape("momentumStep", gradient, weight);
  requireSameShape("momentumStep", velocity, weight);
  const T* const w = weight.data();
  const T* const v = velocity.data();
  Momentum<Tensor<T>> result{targetFor(std::move(weight)), targetFor(std::move(velocity))};
  optimizerLoops<T>().momentum(w, gradient.data(), v, gradient.size(), learningRate, momentum,
                               result.weight.exclusiveData(), result.velocity.exclusiveData());
  return result;
}

template <class T>
Adaptive<Tensor<T>> adaptiveStep(Tensor<T> weight, const Tensor<T>& gradient, Tensor<T> squares,
                                 const AdaptiveParameters<std::type_identity_t<T>>& parameters) {
  requireSameShape("adaptiveStep", gradient, weight);
  requireSameShape("adaptiveStep", squares, weight);
  const T* const w = weight.data();
  const T* const s = squares.data();
  Adaptive<Tensor<T>> result{targetFor(std::move(weight)), targetFor(std::move(squares))};
  optimizerLoops<T>().adaptive(w, gradient.data(), s, gradient.size(), parameters,
                               result.weight.exclusiveData(), result.squares.exclusiveData());
  return result;
}

template <class T>
Adam<Tensor<T>> adamStep(Tensor<T> weight, const Tensor<T>& gradient, Tensor<T> firstMoment,
                         Tensor<T> secondMoment, const AdamParameters<std::type_identity_t<T>>& parameters,
                         std::uint64_t t) {
  requireSameShape("adamStep", gradient, weight);
  requireSameShape("adamStep", firstMoment, weight);
  requireSameShape("adamStep", secondMoment, weight);
  const auto& [rate, beta1, beta2, epsilon, weightDecay] = parameters;
  const AdamConstants<T> constants{
      rate / biasCorrection(beta1, t), beta1, beta2, epsilon, 1 / biasCorrection(beta2, t),
      1 - rate * weightDecay};
  const T* const w = weight.data();
  const T* const m = firstMoment.data();
  const T* const v = secondMoment.data();
  Adam<Tensor<T>> result{targetFor(std::move(weight)), targetFor(std::move(firstMoment)),
                         targetFor(std::move(secondMoment))};
  optimizerLoops<T>().adam(w, gradient.data(), m, v, gradient.size(), constants,
                           result.weight.exclusiveData(), result.firstMoment.exclusiveData(),
                           result.secondMoment.exclusiveData());
  return result;
}

#define TAPESTRY_INSTANTIATE(T)                                                            \
  template Tensor<T> sgdStep(Tensor<T>, const Tensor<T>&, T);                              \
  template Momentum<Tensor<T>> momentumStep(Tensor<T>, const Tensor<T>&, Tensor<T>, T, T); \
  template Adaptive<Tensor<T>> adaptiveStep(Tensor<T>, const Tensor<T>&, Tensor<T>,        \
                                            const AdaptiveParameters<T>&);                 \
  template Adam<Tensor<T>> adamStep(Tensor<T>, const Tensor<T>&, Tensor<T>, Tensor<T>,     \
                                    const AdamParameters<T>&, std::uint64_t);
TAPESTRY_INSTANTIATE(float)
TAPESTRY_INSTANTIATE(double)
#undef TAPESTRY_INSTANTIATE

}  // namespace tapestry::kernels
#pragma GCC visibility pop
