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
void momentumLoop(const T* weight, const T* gradient, const T* velocity, std::size_t n, T rate, T momentum,
                  T* weightOut, T* velocityOut) {
  forEachVector<T>(n, [=](const auto& access, std::size_t i) HWY_ATTR {
    const auto factor = hn::Set(access.d, momentum);
    const auto speed = hn::MulAdd(factor, access.load(velocity + i), access.load(gradient + i));
    access.store(speed, velocityOut + i);
    access.store(hn::NegMulAdd(hn::Set(access.d, rate), speed, access.load(weight + i)), weightOut + i);
  });
}

TAPESTRY_EXPORT_LOOP(momentumLoop)

}  // namespace
}  // namespace tapestry::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#pragma GCC visibility push(default)
namespace tapestry::kernels {

TAPESTRY_DISPATCH_LOOP(momentumLoop)

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

template Momentum<Tensor<float>> momentumStep(Tensor<float>, const Tensor<float>&, Tensor<float>, float,
                                              float);
template Momentum<Tensor<double>> momentumStep(Tensor<double>, const Tensor<double>&, Tensor<double>, double,
                                               double);

}  // namespace tapestry::kernels
#pragma GCC visibility pop
#endif
