#include <tapestry/tensor/kernels/derivative.hpp>

#include <utility>

#include "kernels/elementwise/combine.hpp"

#pragma GCC visibility push(default)
namespace tapestry::kernels {

namespace {

template <class T>
Tensor<T> derive(std::string_view operation, Tensor<T> delta, const Tensor<T>& value,
                 const BinaryLoop<T>& loop) {
  requireSameShape(operation, delta, value);
  return combine(operation, std::move(delta), value, loop);
}

}  // namespace

#define TAPESTRY_DEFINE(name)                                             \
  template <class T>                                                      \
  Tensor<T> name(Tensor<T> delta, const Tensor<T>& value) {               \
    return derive(#name, std::move(delta), value, binaryLoops<T>().name); \
  }                                                                       \
  template Tensor<float> name(Tensor<float>, const Tensor<float>&);       \
  template Tensor<double> name(Tensor<double>, const Tensor<double>&);
TAPESTRY_DEFINE(reluDerivative)
TAPESTRY_DEFINE(tanhDerivative)
TAPESTRY_DEFINE(sigmoidDerivative)
TAPESTRY_DEFINE(absDerivative)
#undef TAPESTRY_DEFINE

template <class T>
Tensor<T> maximumDerivativeLeft(Tensor<T> delta, const Tensor<T>& a, const Tensor<T>& b) {
  const Tensor<T> share = combine("maximumDerivative", a, b, binaryLoops<T>().maximumShare);
  return derive("maximumDerivative", std::move(delta), share, binaryLoops<T>().multiply);
}

template Tensor<float> maximumDerivativeLeft(Tensor<float>, const Tensor<float>&, const Tensor<float>&);
template Tensor<double> maximumDerivativeLeft(Tensor<double>, const Tensor<double>&, const Tensor<double>&);

}  // namespace tapestry::kernels
#pragma GCC visibility pop
