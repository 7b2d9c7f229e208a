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

TAPESTRY_EXPORT_LOOP(sgdLoop)

}  // namespace
}  // namespace tapestry::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#pragma GCC visibility push(default)
namespace tapestry::kernels {

TAPESTRY_DISPATCH_LOOP(sgdLoop)

template <class T>
Tensor<T> sgdStep(Tensor<T> weight, const Tensor<T>& gradient, std::type_identity_t<T> learningRate) {
  requireSameShape("sgdStep", gradient, weight);
  return inPlace(std::move(weight), [&](const T* from, std::size_t n, T* out) {
    sgdLoop<T>()(from, gradient.data(), n, learningRate, out);
  });
}

template Tensor<float> sgdStep(Tensor<float>, const Tensor<float>&, float);
template Tensor<double> sgdStep(Tensor<double>, const Tensor<double>&, double);

}  // namespace tapestry::kernels
#pragma GCC visibility pop
#endif
