#include "tapestry/deeplearning/detail/matmul_derivative.hpp"

#include <algorithm>

#include "tapestry/tensor/kernels/product_cost.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

float MatmulShapes::cost(const Shape* x, const Shape* y) const noexcept {
  std::size_t rows = 1;
  if (x && x->rank() > 1) {
    const std::size_t inner = (*x)[x->rank() - (transposeX == kernels::Transpose::yes ? 2 : 1)];
    rows = x->size() / std::max<std::size_t>(1, inner);
  }
  if (y) return 300 + kernels::ProductCost::ns * 3 * static_cast<float>(y->size() * rows);
  return 300 + (x ? kernels::ProductCost::ns * static_cast<float>(x->size()) : 0);
}

#define TAPESTRY_INSTANTIATE(T)                                                                          \
  template DeltaOf<Tensor<T>> matmulDerivativeLeft(const Tensor<T>&, const Tensor<T>&, const Tensor<T>&, \
                                                   const MatmulShapes&);                                 \
  template DeltaOf<Tensor<T>> matmulDerivativeRight(Tensor<T>, const Tensor<T>&, const Tensor<T>&,       \
                                                    const MatmulShapes&);
TAPESTRY_INSTANTIATE(float)
TAPESTRY_INSTANTIATE(double)
#undef TAPESTRY_INSTANTIATE

}  // namespace tapestry::detail
#pragma GCC visibility pop
