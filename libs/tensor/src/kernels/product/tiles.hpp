// Defines tileProduct, the product of two small or slender matrices.
#pragma once

#include "kernels/product/product.hpp"

namespace tapestry::kernels {

/// Only `from` and `to` may overlap. Allocates nothing, and runs on the calling thread alone. Precondition:
/// where b is transposed, k is at most tileDepth.
using TileProduct = void (*)(const Product<float>& product);

/// Returns the function for the instruction set found at the first call; null if there is neither AVX2 nor
/// AVX-512.
TileProduct tileProduct();

}  // namespace tapestry::kernels
