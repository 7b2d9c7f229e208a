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

TAPESTRY_EXPORT_LOOP(adaptiveLoop)

}  // namespace
}  // namespace tapestry::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#pragma GCC visibility push(default)
namespace tapestry::kernels {

TAPESTRY_DISPATCH_LOOP(adaptiveLoop)

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

template Adaptive<Tensor<float>> adaptiveStep(Tensor<float>, const Tensor<float>&, Tensor<float>,
                                              const AdaptiveParameters<float>&);
template Adaptive<Tensor<double>> adaptiveStep(Tensor<double>, const Tensor<double>&, Tensor<double>,
                                               const AdaptiveParameters<double>&);

}  // namespace tapestry::kernels
#pragma GCC visibility pop
#endif
