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

TAPESTRY_EXPORT_LOOP(adamLoop)

}  // namespace
}  // namespace tapestry::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#pragma GCC visibility push(default)
namespace tapestry::kernels {

TAPESTRY_DISPATCH_LOOP(adamLoop)

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

template Adam<Tensor<float>> adamStep(Tensor<float>, const Tensor<float>&, Tensor<float>, Tensor<float>,
                                      const AdamParameters<float>&, std::uint64_t);
template Adam<Tensor<double>> adamStep(Tensor<double>, const Tensor<double>&, Tensor<double>, Tensor<double>,
                                       const AdamParameters<double>&, std::uint64_t);

}  // namespace tapestry::kernels
#pragma GCC visibility pop
#endif
