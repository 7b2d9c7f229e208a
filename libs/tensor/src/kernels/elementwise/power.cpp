#include <tapestry/tensor/kernels/power.hpp>

#include <utility>

#include <tapestry/tensor/kernels/arithmetic.hpp>

#include "kernels/elementwise/combine.hpp"

#pragma GCC visibility push(default)
namespace tapestry::kernels {

namespace {

// Highway has no power: these loops are plain.
template <class F, class T>
constexpr BinaryLoop<T> loop{[](const T* a, const T* b, std::size_t n, T* out) {
                               for (std::size_t i = 0; i < n; ++i) out[i] = F()(a[i], b[i]);
                             },
                             [](const T* a, T b, std::size_t n, T* out) {
                               for (std::size_t i = 0; i < n; ++i) out[i] = F()(a[i], b);
                             },
                             [](T a, const T* b, std::size_t n, T* out) {
                               for (std::size_t i = 0; i < n; ++i) out[i] = F()(a, b[i]);
                             }};

using Power = decltype([](auto a, auto b) noexcept { return power(a, b); });
using FactorLeft = decltype([]<class T>(T a, T b) noexcept { return powerDerivativeLeft(T{1}, a, b); });
using FactorRight = decltype([]<class T>(T a, T b) noexcept { return powerDerivativeRight(T{1}, a, b); });

template <class F, class T>
Tensor<T> derive(Tensor<T> delta, const Tensor<T>& a, const Tensor<T>& b) {
  const Tensor<T> factor = combine("powerDerivative", a, b, loop<F, T>);
  requireSameShape("powerDerivative", delta, factor);
  return multiply(std::move(delta), factor);
}

}  // namespace

template <class T>
Tensor<T> power(Tensor<T> a, const Tensor<T>& b) {
  return combine("pow", std::move(a), b, loop<Power, T>);
}

template <class T>
Tensor<T> power(Tensor<T> a, std::type_identity_t<T> b) {
  return withScalarRight(std::move(a), b, loop<Power, T>);
}

template <class T>
Tensor<T> power(std::type_identity_t<T> a, Tensor<T> b) {
  return withScalarLeft(a, std::move(b), loop<Power, T>);
}

template <class T>
Tensor<T> powerDerivativeLeft(Tensor<T> delta, const Tensor<T>& a, const Tensor<T>& b) {
  return derive<FactorLeft>(std::move(delta), a, b);
}

template <class T>
Tensor<T> powerDerivativeRight(Tensor<T> delta, const Tensor<T>& a, const Tensor<T>& b) {
  return derive<FactorRight>(std::move(delta), a, b);
}

#define TAPESTRY_INSTANTIATE(T)                                                          \
  template Tensor<T> power(Tensor<T>, const Tensor<T>&);                                 \
  template Tensor<T> power(Tensor<T>, T);                                                \
  template Tensor<T> power(T, Tensor<T>);                                                \
  template Tensor<T> powerDerivativeLeft(Tensor<T>, const Tensor<T>&, const Tensor<T>&); \
  template Tensor<T> powerDerivativeRight(Tensor<T>, const Tensor<T>&, const Tensor<T>&);
TAPESTRY_INSTANTIATE(float)
TAPESTRY_INSTANTIATE(double)
#undef TAPESTRY_INSTANTIATE

}  // namespace tapestry::kernels
#pragma GCC visibility pop
