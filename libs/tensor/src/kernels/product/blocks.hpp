// Defines multiplyByBlocks, the product of two matrices of any shape, for builds without OpenBLAS.
#pragma once

#include "kernels/product/product.hpp"

namespace tapestry::kernels {

/// Runs on the calling thread alone, and allocates nothing. Preconditions: no extent is 0, and `from` is null
/// or `to`, where steps.from is steps.c.
template <class T>
void multiplyByBlocks(const Product<T>& product) noexcept;

}  // namespace tapestry::kernels
