// Defines blockLoops, the product of two matrices of any shape, for builds without OpenBLAS.
#pragma once

#include "kernels/product/product.hpp"

namespace tapestry::kernels {

template <class T>
struct BlockLoops {
  /// Runs on the calling thread alone, and allocates nothing. Preconditions: no extent is 0, and `from` is
  /// null or `to`, where steps.from is steps.c.
  void (*multiply)(const Product<T>& product);
};

/// The loops for the best instruction set that this machine has.
template <class T>
const BlockLoops<T>& blockLoops();

}  // namespace tapestry::kernels
