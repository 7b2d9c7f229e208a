// Defines gemm, the product of two matrices by the library that is faster for their shape.
#pragma once

#include <cstddef>

namespace tapestry::kernels {

/// op(a) is [m, k] and op(b) is [k, n], where op transposes if asked to; both are contiguous.
struct ProductShape {
  bool transposeA;
  bool transposeB;
  std::size_t m;
  std::size_t n;
  std::size_t k;
};

/// c = alpha * op(a)·op(b) + beta * c, none of m, n and k being 0. c is not read where beta is 0. Runs on the
/// calling thread alone, and on several at once. Throws std::length_error for an extent beyond the libraries'
/// integers, and std::runtime_error if the loaded OpenBLAS is not safe to call from several threads.
template <class T>
void gemm(const ProductShape& shape, T alpha, const T* a, const T* b, T beta, T* c);

}  // namespace tapestry::kernels
