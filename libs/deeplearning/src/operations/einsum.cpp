#include "tapestry/deeplearning/operations/product/einsum.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

template <class T>
Tensor<T> einsum(const Tensor<T>& x, const Tensor<T>& y, const EinsumLabels& labels) {
  return einsumOf(x, y, labels);
}

template <class T>
TensorDelta<T> einsumDerivativeLeft(const Tensor<T>& delta, const Tensor<T>& x, const Tensor<T>& y,
                                    const EinsumLabels& labels) {
  return einsumDerivative<Tensor<T>>({delta, labels.z}, {x, labels.x}, {y, labels.y});
}

template <class T>
TensorDelta<T> einsumDerivativeRight(const Tensor<T>& delta, const Tensor<T>& x, const Tensor<T>& y,
                                     const EinsumLabels& labels) {
  return einsumDerivative<Tensor<T>>({delta, labels.z}, {y, labels.y}, {x, labels.x});
}

#define TAPESTRY_INSTANTIATE(T)                                                                       \
  template Tensor<T> einsum(const Tensor<T>&, const Tensor<T>&, const EinsumLabels&);                 \
  template TensorDelta<T> einsumDerivativeLeft(const Tensor<T>&, const Tensor<T>&, const Tensor<T>&,  \
                                               const EinsumLabels&);                                  \
  template TensorDelta<T> einsumDerivativeRight(const Tensor<T>&, const Tensor<T>&, const Tensor<T>&, \
                                                const EinsumLabels&);
TAPESTRY_INSTANTIATE(float)
TAPESTRY_INSTANTIATE(double)
#undef TAPESTRY_INSTANTIATE

}  // namespace tapestry::detail
#pragma GCC visibility pop
