#include <tapestry/tensor/kernels/activation.hpp>

#include <utility>

#include "kernels/elementwise/activation_loops.hpp"
#include "kernels/elementwise/combine.hpp"
#include "kernels/target.hpp"

#pragma GCC visibility push(default)
namespace tapestry::kernels {

namespace {

template <class T>
Tensor<T> activate(Tensor<T> x, const ActivationLoop<T>& loop, T parameter = 0) {
  const T* const from = x.data();
  Tensor<T> result = targetFor(std::move(x));
  loop.value(from, parameter, result.size(), result.exclusiveData());
  return result;
}

template <class T>
Tensor<T> derive(std::string_view operation, Tensor<T> delta, const Tensor<T>& x,
                 const ActivationLoop<T>& loop, T parameter = 0) {
  requireSameShape(operation, delta, x);
  const T* const from = delta.data();
  Tensor<T> result = targetFor(std::move(delta));
  loop.derivative(from, x.data(), parameter, result.size(), result.exclusiveData());
  return result;
}

}  // namespace

#define TAPESTRY_DEFINE(name)                                                          \
  template <class T>                                                                   \
  Tensor<T> name(Tensor<T> x) {                                                        \
    return activate(std::move(x), activationLoops<T>().name);                          \
  }                                                                                    \
  template <class T>                                                                   \
  Tensor<T> name##Derivative(Tensor<T> delta, const Tensor<T>& x) {                    \
    return derive(#name "Derivative", std::move(delta), x, activationLoops<T>().name); \
  }                                                                                    \
  template Tensor<float> name(Tensor<float>);                                          \
  template Tensor<double> name(Tensor<double>);                                        \
  template Tensor<float> name##Derivative(Tensor<float>, const Tensor<float>&);        \
  template Tensor<double> name##Derivative(Tensor<double>, const Tensor<double>&);
TAPESTRY_DEFINE(silu)
TAPESTRY_DEFINE(gelu)
#undef TAPESTRY_DEFINE

#define TAPESTRY_DEFINE(name)                                                                          \
  template <class T>                                                                                   \
  Tensor<T> name(Tensor<T> x, std::type_identity_t<T> parameter) {                                     \
    return activate(std::move(x), activationLoops<T>().name, parameter);                               \
  }                                                                                                    \
  template <class T>                                                                                   \
  Tensor<T> name##Derivative(Tensor<T> delta, const Tensor<T>& x, std::type_identity_t<T> parameter) { \
    return derive(#name "Derivative", std::move(delta), x, activationLoops<T>().name, parameter);      \
  }                                                                                                    \
  template Tensor<float> name(Tensor<float>, float);                                                   \
  template Tensor<double> name(Tensor<double>, double);                                                \
  template Tensor<float> name##Derivative(Tensor<float>, const Tensor<float>&, float);                 \
  template Tensor<double> name##Derivative(Tensor<double>, const Tensor<double>&, double);
TAPESTRY_DEFINE(leakyRelu)
TAPESTRY_DEFINE(elu)
#undef TAPESTRY_DEFINE

}  // namespace tapestry::kernels
#pragma GCC visibility pop
