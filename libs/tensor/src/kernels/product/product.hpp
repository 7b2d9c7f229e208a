// Defines multiply and multiplyOnto, the product of two matrices of any extents, 0 and 1 included.
#pragma once

#include "kernels/product/gemm.hpp"

namespace tapestry::kernels {

/// c = alpha * op(a)·op(b) + beta * c, as gemm; products that involve a vector take loops of their own.
template <class T>
void multiply(const ProductShape& shape, T alpha, const T* a, const T* b, T beta, T* c);

/// to = from + alpha * op(a)·op(b), where `from` may be `to`.
template <class T>
void multiplyOnto(const ProductShape& shape, T alpha, const T* a, const T* b, const T* from, T* to);

}  // namespace tapestry::kernels
