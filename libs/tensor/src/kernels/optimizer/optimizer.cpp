#include <tapestry/tensor/kernels/optimizer.hpp>

#include <cstddef>
#include <utility>

#include "kernels/dispatch.hpp"
#include "kernels/target.hpp"
#include "kernels/vector_inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tapestry::kernels::HWY_NAMESPACE {
namespace {

template <class T>
void sgdLoop(const T* weight, const T* gradient, std::size_t n, T rate, T* out) {
  forEachVector<T>(n, [=](const auto& access, std::size_t i) HWY_ATTR {
    const auto rates = hn::Set(access.d, rate);
    access.store(hn::NegMulAdd(rates, access.load(gradient + i), access.load(weight + i)), out + i);
  });
}

template <class T>
void momentumLoop(const T* weight, const T* gradient, const T* velocity, std::size_t n, T rate, T momentum,
                  T* weightOut, T* velocityOut) {
  forEachVector<T>(n, [=](const auto& access, std::size_t i) HWY_ATTR {
    const auto factor = hn::Set(access.d, momentum);
    const auto speed = hn::MulAdd(factor, access.load(velocity + i), access.load(gradient + i));
    access.store(speed, velocityOut + i);
    access.store(hn::NegMulAdd(hn::Set(access.d, rate), speed, access.load(weight + i)), weightOut + i);
  });
}

template <class T>
void adaptiveLoop(const T* weight, const T* gradient, const T* squares, std::size_t n,
                  const AdaptiveParameters<T>& parameters, T* weightOut, T* squaresOut) {
  forEachVector<T>(n, [=](const auto& access, std::size_t i) HWY_ATTR {
    const auto& d = access.d;
    const auto g = access.load(gradient + i);
    const auto square = hn::Mul(hn::Mul(hn::Set(d, parameters.gain), g), g);
    const auto s = hn::MulAdd(hn::Set(d, parameters.decay), access.load(squares + i), square);
    const auto deviation = hn::Add(hn::Sqrt(s), hn::Set(d, parameters.epsilon));
    const auto step = hn::Div(hn::Mul(hn::Set(d, parameters.learningRate), g), deviation);
    access.store(s, squaresOut + i);
    access.store(hn::Sub(access.load(weight + i), step), weightOut + i);
  });
}

template <class T>
void adamLoop(const T* weight, const T* gradient, const T* first, const T* second, std::size_t n,
              const AdamConstants<T>& constants, T* weightOut, T* firstOut, T* secondOut) {
  forEachVector<T>(n, [=](const auto& access, std::size_t i) HWY_ATTR {
    const auto& d = access.d;
    const auto& [rate, beta1, gain1, beta2, gain2, epsilon, secondScale, kept] = constants;
    const auto g = access.load(gradient + i);
    const auto m = hn::MulAdd(hn::Set(d, beta1), access.load(first + i), hn::Mul(hn::Set(d, gain1), g));
    const auto square = hn::Mul(hn::Mul(hn::Set(d, gain2), g), g);
    const auto v = hn::MulAdd(hn::Set(d, beta2), access.load(second + i), square);
    const auto deviation = hn::Sqrt(hn::Mul(v, hn::Set(d, secondScale)));
    const auto step = hn::Div(hn::Mul(hn::Set(d, rate), m), hn::Add(deviation, hn::Set(d, epsilon)));
    access.store(m, firstOut + i);
    access.store(v, secondOut + i);
    access.store(hn::MulSub(hn::Set(d, kept), access.load(weight + i), step), weightOut + i);
  });
}

TAPESTRY_EXPORT_LOOP(sgdLoop)
TAPESTRY_EXPORT_LOOP(momentumLoop)
TAPESTRY_EXPORT_LOOP(adaptiveLoop)
TAPESTRY_EXPORT_LOOP(adamLoop)

}  // namespace
}  // namespace tapestry::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#pragma GCC visibility push(default)
namespace tapestry::kernels {

TAPESTRY_DISPATCH_LOOP(sgdLoop)
TAPESTRY_DISPATCH_LOOP(momentumLoop)
TAPESTRY_DISPATCH_LOOP(adaptiveLoop)
TAPESTRY_DISPATCH_LOOP(adamLoop)

template <class T>
Tensor<T> sgdStep(Tensor<T> weight, const Tensor<T>& gradient, std::type_identity_t<T> learningRate) {
  requireSameShape("sgdStep", gradient, weight);
  return inPlace(std::move(weight), [&](const T* from, std::size_t n, T* out) {
    sgdLoop<T>()(from, gradient.data(), n, learningRate, out);
  });
}

template <class T>
Momentum<Tensor<T>> momentumStep(Tensor<T> weight, const Tensor<T>& gradient, Tensor<T> velocity,
                                 std::type_identity_t<T> learningRate, std::type_identity_t<T> momentum) {
  requireSameShape("momentumStep", gradient, weight);
  requireSameShape("momentumStep", velocity, weight);
  const T* const w = weight.data();
  const T* const v = velocity.data();
  Momentum<Tensor<T>> result{targetFor(std::move(weight)), targetFor(std::move(velocity))};
  momentumLoop<T>()(w, gradient.data(), v, gradient.size(), learningRate, momentum,
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
  adaptiveLoop<T>()(w, gradient.data(), s, gradient.size(), parameters, result.weight.exclusiveData(),
                    result.squares.exclusiveData());
  return result;
}

template <class T>
Adam<Tensor<T>> adamStep(Tensor<T> weight, const Tensor<T>& gradient, Tensor<T> firstMoment,
                         Tensor<T> secondMoment, const AdamParameters<std::type_identity_t<T>>& parameters,
                         std::uint64_t t) {
  requireSameShape("adamStep", gradient, weight);
  requireSameShape("adamStep", firstMoment, weight);
  requireSameShape("adamStep", secondMoment, weight);
  const AdamConstants<T> constants(parameters, t);
  const T* const w = weight.data();
  const T* const m = firstMoment.data();
  const T* const v = secondMoment.data();
  Adam<Tensor<T>> result{targetFor(std::move(weight)), targetFor(std::move(firstMoment)),
                         targetFor(std::move(secondMoment))};
  adamLoop<T>()(w, gradient.data(), m, v, gradient.size(), constants, result.weight.exclusiveData(),
                result.firstMoment.exclusiveData(), result.secondMoment.exclusiveData());
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
#endif
