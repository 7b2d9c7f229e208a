#include <tapestry/tensor/kernels/derivative.hpp>

#include <utility>

#include "kernels/elementwise/combine.hpp"

namespace tapestry::kernels {

namespace {

template <class T>
Tensor<T> derive(std::string_view operation, Tensor<T> delta, const Tensor<T>& value,
                 const BinaryLoop<T>& loop) {
  requireSameShape(operation, delta, value);
  return combine(operation, std::move(delta), value, loop);
}

}  // namespace

template <class T>
Tensor<T> reluDerivative(Tensor<T> delta, const Tensor<T>& output) {
  return derive("reluDerivative", std::move(delta), output, binaryLoops<T>().reluDerivative);
}

template <class T>
Tensor<T> tanhDerivative(Tensor<T> delta, const Tensor<T>& output) {
  return derive("tanhDerivative", std::move(delta), output, binaryLoops<T>().tanhDerivative);
}

template <class T>
Tensor<T> sigmoidDerivative(Tensor<T> delta, const Tensor<T>& output) {
  return derive("sigmoidDerivative", std::move(delta), output, binaryLoops<T>().sigmoidDerivative);
}

template <class T>
Tensor<T> absDerivative(Tensor<T> delta, const Tensor<T>& x) {
  return derive("absDerivative", std::move(delta), x, binaryLoops<T>().absDerivative);
}

template <class T>
Tensor<T> maximumDerivativeLeft(Tensor<T> delta, const Tensor<T>& a, const Tensor<T>& b) {
  const Tensor<T> share = combine("maximumDerivative", a, b, binaryLoops<T>().maximumShare);
  return derive("maximumDerivative", std::move(delta), share, binaryLoops<T>().multiply);
}

#define TAPESTRY_INSTANTIATE(T)                                      \
  template Tensor<T> reluDerivative(Tensor<T>, const Tensor<T>&);    \
  template Tensor<T> tanhDerivative(Tensor<T>, const Tensor<T>&);    \
  template Tensor<T> sigmoidDerivative(Tensor<T>, const Tensor<T>&); \
  template Tensor<T> absDerivative(Tensor<T>, const Tensor<T>&);     \
  template Tensor<T> maximumDerivativeLeft(Tensor<T>, const Tensor<T>&, const Tensor<T>&);
TAPESTRY_INSTANTIATE(float)
TAPESTRY_INSTANTIATE(double)
#undef TAPESTRY_INSTANTIATE

}  // namespace tapestry::kernels
