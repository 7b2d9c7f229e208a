// Defines tileProduct, the product of two small or slender matrices.
#pragma once

#include "kernels/product/product.hpp"

namespace tapestry::kernels {

/// to = from + alpha * op(a)·op(b), where `from` may be `to`, or null for 0; nothing else overlaps. Allocates
/// nothing, and runs on the calling thread alone. Precondition: where b is transposed, a is not, and k is at
/// most deepestTurned.
using TileProduct = void (*)(const ProductShape& shape, const ProductSteps& steps, float alpha,
                             const float* a, const float* b, const float* from, float* to);

/// That of the instruction set at the first call; null where there is neither AVX2 nor AVX-512.
TileProduct tileProduct();

}  // namespace tapestry::kernels
