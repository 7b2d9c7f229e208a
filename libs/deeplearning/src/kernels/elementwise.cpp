#include <tapestry/deeplearning/kernels/elementwise.hpp>

#include <utility>

#include "kernels/target.hpp"
#include "kernels/unary_loops.hpp"

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

template <class T>
Tensor<T> negate(Tensor<T> x) {
  return map(std::move(x), unaryLoops<T>().negate);
}

template <class T>
Tensor<T> abs(Tensor<T> x) {
  return map(std::move(x), unaryLoops<T>().abs);
}

template <class T>
Tensor<T> sign(Tensor<T> x) {
  return map(std::move(x), unaryLoops<T>().sign);
}

template <class T>
Tensor<T> exp(Tensor<T> x) {
  return map(std::move(x), unaryLoops<T>().exp);
}

template <class T>
Tensor<T> log(Tensor<T> x) {
  return map(std::move(x), unaryLoops<T>().log);
}

template <class T>
Tensor<T> relu(Tensor<T> x) {
  return map(std::move(x), unaryLoops<T>().relu);
}

template <class T>
Tensor<T> tanh(Tensor<T> x) {
  return map(std::move(x), unaryLoops<T>().tanh);
}

template <class T>
Tensor<T> sigmoid(Tensor<T> x) {
  return map(std::move(x), unaryLoops<T>().sigmoid);
}

#define TAPESTRY_INSTANTIATE(T)         \
  template Tensor<T> negate(Tensor<T>); \
  template Tensor<T> abs(Tensor<T>);    \
  template Tensor<T> sign(Tensor<T>);   \
  template Tensor<T> exp(Tensor<T>);    \
  template Tensor<T> log(Tensor<T>);    \
  template Tensor<T> relu(Tensor<T>);   \
  template Tensor<T> tanh(Tensor<T>);   \
  template Tensor<T> sigmoid(Tensor<T>);
TAPESTRY_INSTANTIATE(float)
TAPESTRY_INSTANTIATE(double)
#undef TAPESTRY_INSTANTIATE

}  // namespace tapestry::kernels
