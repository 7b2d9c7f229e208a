#include <tapestry/tensor/kernels/magnitude.hpp>

#include "kernels/rows/row_loops.hpp"

namespace tapestry::kernels {

template <class T>
T magnitude(const Tensor<T>& x) {
  return rowLoops<T>().magnitude(x.data(), x.size());
}

template float magnitude(const Tensor<float>&);
template double magnitude(const Tensor<double>&);

}  // namespace tapestry::kernels
