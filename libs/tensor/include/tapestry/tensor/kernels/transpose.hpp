// Defines transpose, the mirror image of a matrix.
#pragma once

#include <tapestry/tensor/tensor.hpp>

#pragma GCC visibility push(default)
namespace tapestry::kernels {

/// Maps [M, N] to [N, M]. matmul does not need it: it reads transposed operands in place. Throws ShapeError
/// for another rank.
template <class T>
Tensor<T> transpose(const Tensor<T>& x);

}  // namespace tapestry::kernels
#pragma GCC visibility pop
