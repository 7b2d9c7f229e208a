#include <tapestry/tensor/kernels/elementwise.hpp>

#include <utility>

#include "kernels/elementwise/unary_loops.hpp"
#include "kernels/target.hpp"

#pragma GCC visibility push(default)
namespace tapestry::kernels {

namespace {

template <class T>
Tensor<T> map(Tensor<T> x, typename UnaryLoops<T>::Loop loop) {
  const T* const from = x.data();
  Tensor<T> result = targetFor(std::move(x));
  loop(from, result.size(), result.exclusiveData());
  return result;
}

}  // namespace

#define TAPESTRY_DEFINE(name)                       \
  template <class T>                                \
  Tensor<T> name(Tensor<T> x) {                     \
    return map(std::move(x), unaryLoops<T>().name); \
  }                                                 \
  template Tensor<float> name(Tensor<float>);       \
  template Tensor<double> name(Tensor<double>);
TAPESTRY_DEFINE(negate)
TAPESTRY_DEFINE(abs)
TAPESTRY_DEFINE(sign)
TAPESTRY_DEFINE(sqrt)
TAPESTRY_DEFINE(exp)
TAPESTRY_DEFINE(expm1)
TAPESTRY_DEFINE(log)
TAPESTRY_DEFINE(log1p)
TAPESTRY_DEFINE(sin)
TAPESTRY_DEFINE(cos)
TAPESTRY_DEFINE(relu)
TAPESTRY_DEFINE(tanh)
TAPESTRY_DEFINE(sigmoid)
TAPESTRY_DEFINE(softplus)
#undef TAPESTRY_DEFINE

}  // namespace tapestry::kernels
#pragma GCC visibility pop
